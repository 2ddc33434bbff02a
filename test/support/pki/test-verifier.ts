// Asks a verifier about a certificate, with authorities and lists that were never in a file before.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CertificateError, CertificateVerifier } from '@tessera/certificates';

export interface VerificationInput {
  /** PEM of authorities. */
  readonly bundle: string;
  /** PEM or DER of each file of revocation lists; none unless given. */
  readonly lists?: readonly (string | Buffer)[];
  /** True unless told. */
  readonly crlRequired?: boolean;
  readonly maxChainLength?: number;
  readonly now?: Date;
}

/** The code of the refusal, or `good`. */
export function verdictOn(der: Uint8Array, circumstances: VerificationInput): Promise<string> {
  return withVerifier(circumstances, (verifier) => {
    try {
      verifier.verify(der, circumstances.now ?? new Date());
      return 'good';
    } catch (error) {
      if (error instanceof CertificateError) return error.code;
      throw error;
    }
  });
}

/** Closes the verifier and removes its files afterwards. */
export async function withVerifier<T>(
  circumstances: VerificationInput,
  use: (verifier: CertificateVerifier, folder: string) => T | Promise<T>,
): Promise<T> {
  const opened = await openVerifier(circumstances);
  try {
    return await use(opened.verifier, opened.folder);
  } finally {
    await opened.close();
  }
}

export interface OpenVerifier {
  readonly verifier: CertificateVerifier;
  /** Has `ca.pem`, and the lists as `0.crl`, `1.crl` … */
  readonly folder: string;
  /** Removes the files as well. */
  readonly close: () => Promise<void>;
}

/** For tests that ask one verifier many times. */
export async function openVerifier(circumstances: VerificationInput): Promise<OpenVerifier> {
  const { bundle, lists = [], crlRequired = true, maxChainLength } = circumstances;
  const folder = await mkdtemp(join(tmpdir(), 'tessera-certificates-'));
  const remove = () => rm(folder, { recursive: true, force: true });
  const caFile = { setting: 'test.ca-file', path: join(folder, 'ca.pem') };
  const crlFiles = lists.map((_list, index) => ({
    setting: 'test.crl-files',
    path: join(folder, `${index}.crl`),
  }));
  await writeFile(caFile.path, bundle);
  await Promise.all(crlFiles.map(({ path }, index) => writeFile(path, lists[index] ?? '')));
  const length = maxChainLength === undefined ? {} : { maxChainLength };
  const options = { caFile, crlFiles, crlRequired, ...length };
  const verifier = await CertificateVerifier.open(options).catch(async (error: unknown) => {
    await remove();
    throw error;
  });
  return { verifier, folder, close: () => verifier.close().then(remove) };
}
