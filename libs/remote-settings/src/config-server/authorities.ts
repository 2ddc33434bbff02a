// Owns the reading of the CAs that settings name.
import { X509Certificate } from 'node:crypto';
import { readRegularFile } from '@tessera/runtime';

const MOST_BYTES = 1_048_576;
const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g;

/** The PEM text of a file, or what is wrong with the file: reads on from the key that names it. */
export async function readAuthorities(
  path: string,
): Promise<{ readonly pem: string } | { readonly fault: string }> {
  const reading = await readRegularFile(path, MOST_BYTES);
  if ('fault' in reading) return { fault: `names ${path}, which ${reading.fault}` };
  const pem = reading.content.toString();
  try {
    const certificates = pem.match(CERTIFICATE);
    if (certificates === null) return { fault: `names ${path}, which holds no certificate` };
    for (const certificate of certificates) void new X509Certificate(certificate);
    return { pem };
  } catch (error) {
    const { code = 'unknown error' } = error as NodeJS.ErrnoException;
    return { fault: `names ${path}, which cannot be read (${code})` };
  }
}
