// A certificate for all servers on this machine, in files for other programs.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setDefaultCACertificates } from 'node:tls';
import { TestAuthority } from '../support/pki/test-authority.js';

/** Paths of PEM files. */
export interface TlsFiles {
  readonly authority: string;
  readonly certificate: string;
  readonly key: string;
}

/** Writes the files, and makes this process trust this authority alone. */
export async function createTlsFiles(folder: string): Promise<TlsFiles> {
  const authority = await TestAuthority.create();
  const { cert, key } = await authority.issue('CN=localhost');
  const files = {
    authority: join(folder, 'authority.pem'),
    certificate: join(folder, 'certificate.pem'),
    key: join(folder, 'key.pem'),
  };
  await writeFile(files.authority, authority.cert);
  await writeFile(files.certificate, cert);
  await writeFile(files.key, key);
  setDefaultCACertificates([authority.cert]);
  return files;
}
