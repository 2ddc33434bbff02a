// Opens a certificate verifier on authorities and revocation lists given as text.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CertificateError, CertificateVerifier } from '@tessera/certificates';

export interface VerificationInput {
  /** PEM of authorities. */
  readonly bundle: string;
  /** PEM or DER of each file of revocation lists; none by default. */
  readonly lists?: readonly (string | Buffer)[];
  /** True by default. */
  readonly crlRequired?: boolean;
  readonly now?: Date;
}

/** The error code of the verifier, or `good`. */
export function verdictOn(der: Uint8Array, input: VerificationInput): Promise<string> {
  return withVerifier(input, (verifier) => {
    try {
      verifier.verify(der, input.now ?? new Date());
      return 'good';
    } catch (error) {
      if (error instanceof CertificateError) return error.code;
      throw error;
    }
  });
}

/** Opens a verifier for `use`, then closes it and removes its files. */
export async function withVerifier<T>(
  input: VerificationInput,
  use: (verifier: CertificateVerifier, folder: string) => T | Promise<T>,
): Promise<T> {
  const opened = await openVerifier(input);
  try {
    return await use(opened.verifier, opened.folder);
  } finally {
    await opened.close();
  }
}

export interface OpenVerifier {
  readonly verifier: CertificateVerifier;
  /** Contains `ca.pem`, and the lists as `0.crl`, `1.crl` … */
  readonly folder: string;
  /** Closes the verifier and removes its files. */
  readonly close: () => Promise<void>;
}

/** For tests that use one verifier many times. */
export async function openVerifier(input: VerificationInput): Promise<OpenVerifier> {
  const { bundle, lists = [], crlRequired = true } = input;
  const folder = await mkdtemp(join(tmpdir(), 'tessera-certificates-'));
  const remove = () => rm(folder, { recursive: true, force: true });
  const caFile = { setting: 'test.ca-file', path: join(folder, 'ca.pem') };
  const crlFiles = lists.map((_list, index) => ({
    setting: 'test.crl-files',
    path: join(folder, `${index}.crl`),
  }));
  await writeFile(caFile.path, bundle);
  await Promise.all(crlFiles.map(({ path }, index) => writeFile(path, lists[index] ?? '')));
  const options = { caFile, crlFiles, crlRequired };
  const verifier = await CertificateVerifier.open(options).catch(async (error: unknown) => {
    await remove();
    throw error;
  });
  return { verifier, folder, close: () => verifier.close().then(remove) };
}
