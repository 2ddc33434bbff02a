// Owns the reading of the CAs that settings name.
import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g;

/** The PEM text of a file, or what is wrong with the file: reads on from the key that names it. */
export async function readAuthorities(
  path: string,
): Promise<{ readonly pem: string } | { readonly fault: string }> {
  try {
    const pem = await readFile(path, 'utf8');
    const certificates = pem.match(CERTIFICATE);
    if (certificates === null) return { fault: `names ${path}, which holds no certificate` };
    for (const certificate of certificates) void new X509Certificate(certificate);
    return { pem };
  } catch (error) {
    const { code = 'unknown error' } = error as NodeJS.ErrnoException;
    return { fault: `names ${path}, which cannot be read (${code})` };
  }
}
