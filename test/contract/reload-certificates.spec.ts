// Files of authorities and revocation lists at a reload: they count with it, one that is broken refuses it as a whole; and
// what happens to them without one.
import { copyFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { configureLogging } from '@tessera/logging';
import { makeFolder, removeFolder } from '../support/folders.js';
import { http, type Reply } from '../support/http.js';
import type { TestCertificate } from '../support/pki/test-certificate.js';
import { createTestPki, type TestPki } from '../support/pki/test-pki.js';
import { refresh } from '../support/refresh.js';
import { startSso, type Sso } from '../support/sso.js';
import { until } from '../support/until.js';

const ELSEWHERE = 'no certificate, and no list';
/** The verifier looks at its files each second; a busy machine needs more than the usual five. */
const PATIENCE = 30_000;

let folder: string;
let pki: TestPki;
let other: TestPki;
let ann: TestCertificate;
let sso: Sso;
let lines: string[];

const path = (name: string): string => join(folder, name);

/** @returns the status of a login with ann's certificate */
async function login(): Promise<number> {
  return (await http('POST', sso.url, '/v1/tickets', { form: { cert: ann.pem } })).status;
}

/** Puts it there as `cp` does, and has settings read anew over HTTP. */
async function replace(name: string, content: string): Promise<Reply> {
  await writeFile(path('new'), content);
  await copyFile(path('new'), path(name));
  return refresh(sso);
}

beforeAll(async () => {
  folder = await makeFolder();
  pki = await createTestPki('Reload');
  other = await createTestPki('Elsewhere');
  ann = await pki.client({ subject: 'CN=ann' });
  await writeFile(path('ca.pem'), pki.bundle);
  await writeFile(path('ca.crl'), await pki.lists());
  sso = await startSso({
    settings: [
      '--sso.modules=rest,rest-x509',
      `--sso.rest.x509.ca-file=${path('ca.pem')}`,
      `--sso.rest.x509.crl-files=${path('ca.crl')}`,
      '--sso.rest.x509.trusted-hosts=127.0.0.0/8',
      '--sso.rest.x509.principal=cn',
    ],
  });
});
afterAll(async () => {
  await sso.close();
  await removeFolder(folder);
  configureLogging({ application: 'test', levels: { root: 'warn' } });
});
beforeEach(async () => {
  await replace('ca.pem', pki.bundle);
  expect((await replace('ca.crl', await pki.lists())).status).toBe(200);
  expect(await login()).toBe(201);
  lines = [];
  configureLogging({ application: 'test', levels: {}, write: (line) => lines.push(line) });
});

describe('a call for a reload is refused, and the old content kept,', () => {
  test.each([
    ['ca.crl', /^sso\.rest\.x509\.crl-files: .*ca\.crl is of no use/],
    ['ca.pem', /^sso\.rest\.x509\.ca-file: .*ca\.pem is of no use/],
  ])('while %s is broken; and no other setting counts', async (name, problem) => {
    await sso.writeSettings('sso.yml', 'sso.dialect: apereo');
    const reply = await replace(name, ELSEWHERE);
    expect([reply.status, JSON.parse(reply.body)]).toMatchObject([
      409,
      { problems: [expect.stringMatching(problem)] },
    ]);
    expect(await login()).toBe(201);
    await sso.writeSettings('sso.yml', '# nothing');
  });
});

describe('a reload takes over at once', () => {
  test('a revocation list: the next login is judged by it', async () => {
    expect(await replace('ca.crl', await pki.lists(ann))).toMatchObject({ status: 200 });
    expect(await login()).toBe(400);
    await replace('ca.crl', await pki.lists());
    expect(await login()).toBe(201);
  });

  test('authorities', async () => {
    expect(await replace('ca.pem', other.bundle)).toMatchObject({ status: 200 });
    expect(await login()).toBe(400);
  });
});

test(
  'a revocation counts within seconds although no reload is possible, and its line is of no request',
  async () => {
    await replace('ca.crl', await pki.lists());
    await sso.writeSettings('sso.yml', 'sso.dialect: none');
    expect((await refresh(sso)).status).toBe(409);
    await writeFile(path('ca.crl'), await pki.lists(ann));
    await until('it is revoked', async () => (await login()) === 400);
    const taken = lines.filter((line) => line.includes('a changed file was taken over'));
    expect(taken).toHaveLength(1);
    expect(taken.join('')).not.toContain('requestId');
    await sso.writeSettings('sso.yml', '# nothing');
  },
  PATIENCE,
);
