// What operators are told of certificates and revocation lists that expire: in the log, and in the answer of readiness.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { configureLogging } from '@tessera/logging';
import { startConfigServer } from '../support/config-server.js';
import { makeFolder, removeFolder } from '../support/folders.js';
import { http } from '../support/http.js';
import { TestAuthority } from '../support/pki/test-authority.js';
import { issueList } from '../support/pki/test-certificate.js';
import { createTestPki, type TestPki } from '../support/pki/test-pki.js';
import { startSso, type Sso } from '../support/sso.js';

const DAY = 86_400;

let folder: string;
let pki: TestPki;
let server: TestAuthority;
let lines: string[];

const path = (name: string): string => join(folder, name);

const tls = (application: string) => [
  `--${application}.tls.certificate-file=${path('server.pem')}`,
  `--${application}.tls.key-file=${path('server.key')}`,
];

beforeAll(async () => {
  folder = await makeFolder();
  pki = await createTestPki('Expiry');
  server = await TestAuthority.create();
  const { cert, key } = await server.issue('O=Example, CN=server');
  await writeFile(path('server.pem'), cert + server.cert);
  await writeFile(path('server.key'), key);
  await writeFile(path('ca.pem'), pki.bundle);
});
afterAll(async () => {
  await removeFolder(folder);
  configureLogging({ application: 'test', levels: { root: 'warn' } });
});
beforeEach(() => {
  lines = [];
  configureLogging({ application: 'test', levels: {}, write: (line) => lines.push(line) });
});

/** Writes the lists of both authorities; that of the issuing one ends after so many days. */
async function writeLists(days: number): Promise<void> {
  const root = await issueList({ issuer: pki.root, days: [-9, 9] });
  const issuing = await issueList({ issuer: pki.intermediate, days: [-9, days] });
  await writeFile(path('root.crl'), root.der);
  await writeFile(path('issuing.crl'), issuing.der);
}

interface Readiness {
  readonly status: string;
  readonly details: { readonly certificates?: { readonly expiresInSeconds: object } };
}

async function readiness(url: string): Promise<Readiness & { readonly body: string }> {
  const { status, body } = await http('GET', url, '/health/ready', { tls: { ca: server.cert } });
  expect(status).toBe(200);
  return { ...(JSON.parse(body) as Readiness), body };
}

/** The seconds of each gauge, as days. */
async function daysLeft(url: string): Promise<object> {
  const { details } = await readiness(url);
  const seconds = Object.entries(details.certificates?.expiresInSeconds ?? {});
  return Object.fromEntries(seconds.map(([name, left]) => [name, Math.round(left / DAY)]));
}

const warnings = () =>
  lines
    .map((line) => JSON.parse(line) as Record<string, string>)
    .filter(({ msg }) => /expires soon|has expired/.test(msg!))
    .map(({ level, msg, issuer, subject, path: file }) => [level, msg, issuer ?? subject, file]);

describe('the SSO application with an expired list', () => {
  let sso: Sso;
  let atStart: unknown[];

  beforeAll(async () => {
    await writeLists(-2);
    lines = [];
    configureLogging({ application: 'test', levels: {}, write: (line) => lines.push(line) });
    sso = await startSso({
      settings: [
        '--sso.modules=rest,rest-x509',
        `--sso.rest.x509.ca-file=${path('ca.pem')}`,
        `--sso.rest.x509.crl-files=${path('root.crl')},${path('issuing.crl')}`,
        '--sso.rest.x509.trusted-hosts=127.0.0.0/8',
        '--sso.rest.x509.principal=cn',
        ...tls('sso'),
      ],
    });
    atStart = warnings();
  });
  afterAll(() => sso.close());

  const post = async (form: Record<string, string>) =>
    (await http('POST', sso.url, '/v1/tickets', { form, tls: { ca: server.cert } })).status;

  test('warns at its start of that list, and of the server’s certificate', () => {
    expect(atStart).toEqual([
      ['warn', 'a TLS certificate expires soon', 'O=Example, CN=server', path('server.pem')],
      ['warn', 'a revocation list has expired', 'CN=Expiry Issuing,O=Example', path('issuing.crl')],
    ]);
  });

  test('is ready, for passwords still log in; the gauges say what expires', async () => {
    const { pem: cert } = await pki.client({ subject: 'CN=ann' });
    const statuses = [
      await post({ cert }),
      await post({ username: 'casuser', password: 'Mellon' }),
    ];
    expect(statuses).toEqual([400, 201]);
    expect((await readiness(sso.url)).details).toMatchObject({ certificates: { status: 'up' } });
    expect(await daysLeft(sso.url)).toEqual({
      'crl Expiry Root': 9,
      'crl Expiry Issuing': -2,
      'ca Expiry Root': 365,
      'ca Expiry Issuing': 365,
      'tls server': 1,
      'tls Test CA': 365,
    });
  });

  test('shows no path of a file to the public', async () => {
    expect((await readiness(sso.url)).body).not.toMatch(/\.crl|\.pem|tmp/);
  });

  test('warns of a list that a reload reads, once, and shows its time', async () => {
    await writeLists(1);
    await sso.reload();
    sso.checkExpiry();
    sso.checkExpiry();
    const ofLists = warnings().filter(([, said]) => said === 'a revocation list expires soon');
    expect(ofLists).toEqual([
      [
        'warn',
        'a revocation list expires soon',
        'CN=Expiry Issuing,O=Example',
        path('issuing.crl'),
      ],
    ]);
    expect(await daysLeft(sso.url)).toMatchObject({ 'crl Expiry Issuing': 1 });
  });
});

test('the config server warns of its certificate at its start, and has a gauge of it', async () => {
  const started = await startConfigServer([
    '--config-server.backends=native',
    ...tls('config-server'),
  ]);
  try {
    expect(warnings()).toEqual([
      ['warn', 'a TLS certificate expires soon', 'O=Example, CN=server', path('server.pem')],
    ]);
    const url = started.url.replace('http:', 'https:');
    expect(await daysLeft(url)).toEqual({ 'tls server': 1, 'tls Test CA': 365 });
  } finally {
    await started.close();
  }
});

test('without certificates, readiness says nothing of them', async () => {
  const started = await startConfigServer(['--config-server.backends=native']);
  try {
    expect((await readiness(started.url)).details).toEqual({});
  } finally {
    await started.close();
  }
});
