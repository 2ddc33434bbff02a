import { createPrivateKey } from 'node:crypto';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { TestAuthority, type Identity } from '../../../../test/support/pki/test-authority.js';
import { makeFolder, removeFolder } from '../../../../test/support/folders.js';
import { credentialsOf, readTlsFiles } from './credentials.js';
import type { TlsFile, TlsOptions } from './tls-settings.js';

let folder: string;
let authority: TestAuthority;
let server: Identity;

beforeAll(async () => {
  folder = await makeFolder();
  authority = await TestAuthority.create();
  server = await authority.issue('CN=server');
});

afterAll(() => removeFolder(folder));

async function file(name: string, content: string): Promise<TlsFile> {
  const path = join(folder, name);
  await writeFile(path, content);
  return { setting: `a.${name}-file`, path };
}

interface Contents {
  readonly certificate?: string;
  readonly key?: string;
  readonly clientAuthorities?: string;
  readonly passphrase?: string;
}

async function credentialsFrom(contents: Contents): Promise<ReturnType<typeof credentialsOf>> {
  const { clientAuthorities, passphrase } = contents;
  const options: TlsOptions = {
    certificate: await file('certificate', contents.certificate ?? server.cert),
    key: await file('key', contents.key ?? server.key),
    clientAuthorities:
      clientAuthorities === undefined ? undefined : await file('client-ca', clientAuthorities),
    passphrase,
    requestsClientCertificate: true,
  };
  return credentialsOf(await readTlsFiles(options), options);
}

function encrypted(key: string, passphrase: string): string {
  const options = { type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase } as const;
  return createPrivateKey(key).export(options).toString();
}

describe('the files of an HTTPS listener', () => {
  // Its passphrase is "right".
  const ENCRYPTED_KEY = `-----BEGIN ENCRYPTED PRIVATE KEY-----
MIH0MF8GCSqGSIb3DQEFDTBSMDEGCSqGSIb3DQEFDDAkBBC30z/aIDsCzVPdtTrb
VNj2AgIIADAMBggqhkiG9w0CCQUAMB0GCWCGSAFlAwQBKgQQiQb5IKIHSD//Z5zF
s9DwhwSBkA6xxLm58GivKsj3dtmW/zjhvDeBLTCZjmKOphxQtgFjZQWRMtfBNXIm
6PolUbzAmIBj4bpCjeu0cL5vXrG4jwOiEDul7kErTeojCKUJlS37QL8o+tn4IVbH
YCatknewqx3cz07v0oKLLNhU1x+pqWQzZja8twU3qfzGy36qudYKNKV5KWAR/wO7
gmrQOiZS3Q==
-----END ENCRYPTED PRIVATE KEY-----`;
  const GARBAGE = '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n';

  test.each<[string, (other: Identity) => Contents, string]>([
    [
      'an empty certificate',
      () => ({ certificate: '' }),
      'certificate holds no certificate in PEM',
    ],
    ['garbage', () => ({ certificate: GARBAGE }), 'certificate holds no certificate in PEM'],
    [
      'a key for a certificate',
      ({ key }) => ({ certificate: key }),
      'certificate holds no certificate in PEM',
    ],
    [
      'garbage behind the certificate',
      () => ({ certificate: `${server.cert}\n${GARBAGE}` }),
      'certificate is refused by TLS (ERR_OSSL_ASN1_WRONG_TAG)',
    ],
    ['an empty key', () => ({ key: '' }), 'key holds no private key in PEM'],
    ['a certificate for a key', ({ cert }) => ({ key: cert }), 'key holds no private key in PEM'],
    [
      'the key of another certificate',
      ({ key }) => ({ key }),
      'key is not the key of the certificate in <folder>/certificate',
    ],
    [
      'an encrypted key and no passphrase',
      () => ({ key: encrypted(server.key, 'secret') }),
      'key is encrypted, and there is no passphrase',
    ],
    [
      'an encrypted key and another passphrase',
      () => ({ key: encrypted(server.key, 'secret'), passphrase: 'Secret' }),
      'key is encrypted with another passphrase, or damaged',
    ],
    [
      'an encrypted key and another passphrase whose result has valid padding',
      () => ({ key: ENCRYPTED_KEY, passphrase: 'wrong-140' }),
      'key is encrypted with another passphrase, or damaged',
    ],
    [
      'authorities that are none',
      () => ({ clientAuthorities: '' }),
      'client-ca holds no certificate in PEM',
    ],
    [
      'garbage among authorities',
      () => ({ clientAuthorities: `${authority.cert}\n${GARBAGE}` }),
      'client-ca holds no certificate in PEM',
    ],
  ])('%s: refused by setting and path', async (_, contents, message) => {
    const other = await authority.issue('CN=other');
    const [name = ''] = message.split(' ');
    await expect(credentialsFrom(contents(other))).rejects.toMatchObject({
      code: 'TLS_FILE_UNUSABLE',
      message: `a.${name}-file: ${folder}/${message.replace('<folder>', folder)}`,
    });
  });

  test.each(['certificate', 'key', 'clientAuthorities'] as const)(
    'a missing file is refused by setting and path: %s',
    async (which) => {
      const good = await file('good', server.cert);
      const missing = { setting: 'a.missing-file', path: join(folder, 'missing') };
      const options = { certificate: good, key: good, requestsClientCertificate: false };
      await expect(readTlsFiles({ ...options, [which]: missing })).rejects.toThrow(
        `a.missing-file: ${folder}/missing does not exist`,
      );
    },
  );

  test('a folder is no file', async () => {
    const path = join(folder, 'folder');
    await mkdir(path, { recursive: true });
    const certificate = { setting: 'a.file', path };
    await expect(
      readTlsFiles({ certificate, key: certificate, requestsClientCertificate: false }),
    ).rejects.toThrow('is no regular file');
    await rm(path, { recursive: true });
  });

  test('TLS 1.2 is the minimum version, whatever the options of Node', async () => {
    expect(await credentialsFrom({})).toMatchObject({ minVersion: 'TLSv1.2' });
  });

  test('an encrypted key is read with its passphrase, and every authority of a bundle taken', async () => {
    const { cert } = await TestAuthority.create('CN=Another CA');
    const credentials = await credentialsFrom({
      key: encrypted(server.key, 'secret'),
      passphrase: 'secret',
      clientAuthorities: `first\n${authority.cert}\nsecond\n${cert}`,
    });
    expect(credentials.ca).toEqual([authority.cert.trim(), cert.trim()]);
  });
});
