import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import {
  AuthorityInfoAccessExtension,
  CRLDistributionPointsExtension,
  Extension,
} from '@peculiar/x509';
import { configureLogging } from '@tessera/logging';
import {
  issue,
  issueList,
  type ListRequest,
  type TestCertificate,
} from '../../../test/support/pki/test-certificate.js';
import { createTestPki, type TestPki } from '../../../test/support/pki/test-pki.js';
import { verdictOn, withVerifier } from '../../../test/support/pki/test-verifier.js';
import { until } from '../../../test/support/until.js';
import { CertificateError } from './certificate-error.js';
import { CertificateVerifier } from './certificate-verifier.js';

/** A change takes effect after a second or more: a busy machine needs more than the usual 5 s. */
const TIMEOUT_MS = 30_000;

let pki: TestPki;
let client: TestCertificate;
let lines: string[];

beforeAll(async () => {
  pki = await createTestPki();
  client = await pki.client({ subject: 'CN=Jane Doe' });
});

beforeEach(() => {
  lines = [];
  configureLogging({ application: 'test', levels: {}, write: (line) => lines.push(line) });
});
afterEach(() => configureLogging({ application: 'test', levels: { root: 'warn' } }));

const logged = (text: string) => lines.filter((line) => line.includes(text)).length;

function verdict(verifier: CertificateVerifier, { der }: TestCertificate): string {
  try {
    return verifier.verify(der, new Date()).subject;
  } catch (error) {
    return error instanceof CertificateError ? error.code : String(error);
  }
}

describe('opening ends with CERTIFICATE_FILES_UNREADABLE, the setting and the path', () => {
  test.each<[string, () => string, () => string, RegExp]>([
    [
      'without authorities',
      () => '',
      () => '',
      /^test\.ca-file: \/.*ca\.pem is of no use \(there is no self-signed/,
    ],
    [
      'without an anchor',
      () => pki.intermediate.pem,
      () => '',
      /^test\.ca-file: \/.*ca\.pem is of no use \(there is no self-signed/,
    ],
    [
      'with a key among authorities',
      () => pki.bundle + client.keyPem,
      () => '',
      /^test\.ca-file: \/.*ca\.pem is of no use \(there is a PRIVATE KEY/,
    ],
    [
      'with an authority that cannot be read',
      () => pki.bundle + pki.root.pem.replace('\nM', '\nN'),
      () => '',
      /^test\.ca-file: \/.*ca\.pem is of no use \(certificate 3: /,
    ],
    [
      'with a file of lists that has none',
      () => pki.bundle,
      () => 'hello',
      /^test\.crl-files: \/.*0\.crl is of no use \(there is no revocation list/,
    ],
    [
      'with a list that is cut off',
      () => pki.bundle,
      () => '-----BEGIN X509 CRL-----\nMI',
      /^test\.crl-files: \/.*0\.crl is of no use \(a PEM block is not whole/,
    ],
    [
      'with a certificate in place of a list',
      () => pki.bundle,
      () => pki.root.pem,
      /^test\.crl-files: \/.*0\.crl is of no use \(there is a CERTIFICATE/,
    ],
    [
      'with too large a file of authorities',
      () => 'x'.repeat(1_048_577),
      () => '',
      /^test\.ca-file: \/.*ca\.pem has more than 1048576 bytes/,
    ],
  ])('%s', async (_title, bundle, list, message) => {
    const circumstances = { bundle: bundle(), lists: [list()] };
    await expect(withVerifier(circumstances, () => undefined)).rejects.toMatchObject({
      code: 'CERTIFICATE_FILES_UNREADABLE',
      message: expect.stringMatching(message),
    });
  });

  test.each([
    ['that is not there', '/nowhere/ca.pem', /^test\.ca-file: \/nowhere\/ca\.pem does not exist$/],
    ['that is a folder', '/', /^test\.ca-file: \/ is no regular file$/],
  ])('with a file %s', async (_title, path, message) => {
    const caFile = { setting: 'test.ca-file', path };
    const options = { caFile, crlFiles: [], crlRequired: true };
    await expect(CertificateVerifier.open(options)).rejects.toThrow(message);
  });
});

describe('at opening, one warning names the issuer and the file of a list', () => {
  const NEVER_CURRENT = 'a revocation list never counts as current';

  test.each<[string, string, () => ListRequest]>([
    [
      'that another key than its issuer’s signed',
      'a revocation list cannot be verified',
      () => ({ issuer: { ...pki.intermediate, keys: pki.root.keys } }),
    ],
    [
      'of an authority that is not in the bundle',
      NEVER_CURRENT,
      () => ({ issuer: { ...pki.intermediate, subject: 'O=Example, CN=Test Issuing, OU=Other' } }),
    ],
    [
      'without a next update',
      NEVER_CURRENT,
      () => ({ issuer: pki.intermediate, days: [-1, null] }),
    ],
    [
      'that is partial',
      NEVER_CURRENT,
      () => ({
        issuer: pki.intermediate,
        extensions: [new Extension('2.5.29.27', true, Buffer.from('3000', 'hex'))],
      }),
    ],
  ])('%s: %s', async (_title, message, request) => {
    const lists = [(await issueList({ issuer: pki.root })).pem, (await issueList(request())).pem];
    await withVerifier({ bundle: pki.bundle, lists }, () => undefined);
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      expect.objectContaining({
        level: 'warn',
        issuer: expect.stringContaining('CN=Test Issuing,O=Example'),
        path: expect.stringMatching(/1\.crl$/),
        msg: expect.stringContaining(message),
      }),
    ]);
  });
});

describe('a changed file', () => {
  test(
    'counts without a restart: authorities',
    async () => {
      const other = await createTestPki('Next');
      const next = await other.client({ subject: 'CN=Next' });
      await withVerifier({ bundle: pki.bundle }, async (verifier, folder) => {
        expect(verdict(verifier, next)).toBe('CERTIFICATE_UNTRUSTED');
        await writeFile(join(folder, 'ca.pem'), pki.bundle + other.bundle);
        await until('the new authority counts', () => verdict(verifier, next) === 'CN=Next');
        await writeFile(join(folder, 'ca.pem'), other.bundle);
        await until('the old one does not', () => verdict(verifier, client) !== 'CN=Jane Doe');
      });
    },
    TIMEOUT_MS,
  );

  test(
    'counts without a restart: lists, also put in place by renaming',
    async () => {
      const lists = [await pki.lists()];
      await withVerifier({ bundle: pki.bundle, lists }, async (verifier, folder) => {
        expect(verdict(verifier, client)).toBe('CN=Jane Doe');
        await writeFile(join(folder, 'new'), await pki.lists(client));
        await rename(join(folder, 'new'), join(folder, '0.crl'));
        await until('it is revoked', () => verdict(verifier, client) === 'CERTIFICATE_REVOKED');
      });
    },
    TIMEOUT_MS,
  );

  test(
    'that is missing or truncated leaves the last content, with one warning for each change',
    async () => {
      const list = await pki.lists(client);
      await withVerifier({ bundle: pki.bundle, lists: [list] }, async (verifier, folder) => {
        const path = join(folder, '0.crl');
        await writeFile(path, list.slice(0, -40));
        await until('the truncated file is logged', () => logged('cannot be used') === 1);
        await rm(path);
        await until('the missing file is logged', () => logged('cannot be used') === 2);
        expect(verdict(verifier, client)).toBe('CERTIFICATE_REVOKED');
        expect(logged('is used now')).toBe(0);
        await writeFile(join(folder, 'ca.pem'), pki.bundle);
        await until('a round has passed', () => logged('is used now') === 1);
        await writeFile(path, await pki.lists());
        await until('the good file counts', () => verdict(verifier, client) === 'CN=Jane Doe');
        expect(logged('cannot be used')).toBe(2);
      });
    },
    TIMEOUT_MS,
  );
});

test('a list that cannot be verified has no expiry: it is not used', async () => {
  const good = (await issueList({ issuer: pki.root })).pem;
  const { pem } = await issueList({ issuer: { ...pki.intermediate, keys: pki.root.keys } });
  await withVerifier({ bundle: pki.bundle, lists: [good, pem] }, (verifier) => {
    const lists = verifier.expiring.filter(({ kind }) => kind === 'crl');
    expect(lists.map(({ path }) => path)).toEqual([expect.stringMatching(/0\.crl$/)]);
  });
});

test('authorities and lists are reported with file and expiry, where they have one', async () => {
  const current = await issueList({ issuer: pki.root });
  const endless = await issueList({ issuer: pki.intermediate, days: [-1, null] });
  await withVerifier({ bundle: pki.bundle, lists: [current.pem + endless.pem] }, (verifier) => {
    const seen = verifier.expiring.map(({ expires, ...entry }) => ({
      ...entry,
      days: Math.round((expires.getTime() - Date.now()) / 86_400_000),
    }));
    const of = (kind: string, name: string, days: number) => ({
      kind,
      days,
      label: name,
      name: `CN=${name},O=Example`,
      path: expect.stringMatching(kind === 'ca' ? /ca\.pem$/ : /0\.crl$/),
    });
    expect(seen).toEqual([
      of('ca', 'Test Root', 365),
      of('ca', 'Test Issuing', 365),
      of('crl', 'Test Root', 1),
    ]);
  });
});

test('URLs in a certificate are never fetched', async () => {
  let connections = 0;
  const server = createServer((_request, response) => response.end());
  server.on('connection', () => (connections += 1));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  try {
    const more = [
      new CRLDistributionPointsExtension([`${url}/list.crl`]),
      new AuthorityInfoAccessExtension({ ocsp: `${url}/ocsp`, caIssuers: `${url}/ca.cer` }),
    ];
    const known = await pki.client({ subject: 'CN=a', more });
    const unknown = await issue({ subject: 'CN=b', extensions: more });
    const circumstances = { bundle: pki.bundle, lists: [await pki.lists()] };
    expect(await verdictOn(known.der, circumstances)).toBe('good');
    expect(await verdictOn(unknown.der, circumstances)).toBe('CERTIFICATE_UNTRUSTED');
    await fetch(url); // the server does count
    expect(connections).toBe(1);
  } finally {
    server.close();
    server.closeAllConnections();
  }
});
