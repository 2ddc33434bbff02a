// Logins by every handler against the account of the principal's name: its status refuses, its attributes are joined.
import { join } from 'node:path';
import { writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { AccountStore, type NewAccount } from '@tessera/accounts';
import { configureLogging } from '@tessera/logging';
import { DIALECTS } from '../support/dialects.js';
import { makeFolder, removeFolder } from '../support/folders.js';
import { http, type Reply } from '../support/http.js';
import { PASSWORD, person } from '../support/ldap-people.js';
import { createTestPki, type TestPki } from '../support/pki/test-pki.js';
import { add, WIKI } from '../support/service-registration.js';
import { BASE, describeWithSlapd, SERVICE_ACCOUNT, Slapd } from '../support/slapd.js';
import { APP, startSso, type Sso } from '../support/sso.js';
import { validate } from '../support/validation.js';

const REFUSED = '{"authentication_exceptions" : [ "FailedLoginException" ]}';
const CHEAP_HASHES = ['memory=8', 'iterations=1'].map(
  (each) => `--sso.authentication.accounts.argon2.${each}`,
);

let folder: string;
let pki: TestPki;
const certificates = new Map<string, string>();

beforeAll(async () => {
  folder = await makeFolder();
  pki = await createTestPki('Status');
  await writeFile(join(folder, 'ca.pem'), pki.bundle);
  for (const name of ['jane', 'Jane', 'casuser', 'stranger']) {
    certificates.set(name, (await pki.client({ subject: `CN=${name}` })).pem);
  }
});
afterAll(() => removeFolder(folder));

const start = (settings: readonly string[], files = {}): Promise<Sso> =>
  startSso({
    settings: [
      '--sso.modules=rest,rest-services,rest-x509',
      '--sso.rest.services.role-name=memberOf',
      '--sso.rest.services.role-value=admin',
      `--sso.rest.x509.ca-file=${join(folder, 'ca.pem')}`,
      '--sso.rest.x509.principal=cn',
      '--sso.rest.x509.trusted-hosts=127.0.0.1',
      ...CHEAP_HASHES,
      ...settings,
    ],
    files,
  });

const post = (sso: Sso, form: Readonly<Record<string, string>>): Promise<Reply> =>
  http('POST', sso.url, '/v1/tickets', { form, headers: { accept: 'text/plain' } });

const byCertificate = (sso: Sso, name: string): Promise<Reply> =>
  post(sso, { cert: certificates.get(name) ?? '' });

const accountsOf = ({ database }: Sso): AccountStore => AccountStore.of(database.dataSource);

/** With no usable password: its user logs in by other handlers alone. */
const addAccount = (sso: Sso, account: Omit<NewAccount, 'passwordHash'>): Promise<void> =>
  accountsOf(sso).add({ passwordHash: 'none', ...account });

async function attributesOf(sso: Sso, tgt: string): Promise<unknown> {
  const parameters = { service: APP, ticket: await sso.grant(tgt), format: 'json' };
  const { body } = await validate(sso, '/p3/serviceValidate', parameters);
  const { serviceResponse } = JSON.parse(body) as {
    serviceResponse: { authenticationSuccess: { attributes: unknown } };
  };
  return serviceResponse.authenticationSuccess.attributes;
}

/** 200 with the role of registration, 403 without it. */
async function registering(sso: Sso, name: string): Promise<number> {
  const { body: tgt } = await byCertificate(sso, name);
  return (await add(sso, tgt, { form: WIKI })).status;
}

const past = (): Date => new Date(Date.now() - 1_000);

describe.each(DIALECTS)('the status of accounts in dialect $dialect', (each) => {
  let sso: Sso;
  let lines: string[];

  beforeAll(async () => {
    sso = await start([`--sso.dialect=${each.dialect}`]);
    await addAccount(sso, { name: 'jane' });
    await addAccount(sso, { name: 'casuser' });
  });
  afterAll(() => sso.close());
  beforeEach(async () => {
    for (const name of ['jane', 'casuser']) {
      await accountsOf(sso).change(name, { disabled: false, expiresAt: null });
    }
    lines = [];
    configureLogging({ application: 'sso', levels: {}, write: (line) => lines.push(line) });
  });

  test.each([
    ['disabled', { disabled: true }, 'account disabled'],
    ['expired', { expiresAt: past() }, 'account expired'],
    ['disabled and expired', { disabled: true, expiresAt: past() }, 'account disabled'],
  ])('refuses the certificate of an account that is %s', async (_what, change, reason) => {
    expect((await byCertificate(sso, 'jane')).status).toBe(201);
    await accountsOf(sso).change('jane', change);
    const reply = await byCertificate(sso, 'jane');
    expect([reply.status, reply.body]).toEqual([each.badCredentials, REFUSED]);
    expect(reply.headers['content-type']).toBe('application/json;charset=UTF-8');
    expect(lines.map((line): unknown => JSON.parse(line))).toContainEqual(
      expect.objectContaining({
        outcome: 'refused',
        principal: 'jane',
        reasons: { x509: reason },
      }),
    );
  });

  test('refuses a static user whose account is disabled', async () => {
    await accountsOf(sso).disable('casuser');
    const reply = await post(sso, { username: 'casuser', password: 'Mellon' });
    expect([reply.status, reply.body]).toEqual([each.badCredentials, REFUSED]);
  });

  test('refuses a certificate of a disabled account for renew', async () => {
    const { body: tgt } = await byCertificate(sso, 'stranger');
    await accountsOf(sso).disable('jane');
    const cert = certificates.get('jane') ?? '';
    const form = { service: APP, renew: 'true', cert };
    const reply = await http('POST', sso.url, `/v1/tickets/${tgt}`, { form });
    expect([reply.status, reply.body]).toEqual([each.badCredentials, REFUSED]);
  });

  test('says nothing of users without an account of exactly their name', async () => {
    await accountsOf(sso).disable('jane');
    expect((await byCertificate(sso, 'stranger')).status).toBe(201);
    expect((await byCertificate(sso, 'Jane')).status).toBe(201);
  });
});

describe('a certificate while the database is unavailable', () => {
  test.each(['jane', 'stranger'])('of %s is answered 503', async (name) => {
    const sso = await start([]);
    try {
      await sso.databaseProxy.set('refuse');
      const reply = await byCertificate(sso, name);
      expect(reply).toMatchObject({ status: 503, body: 'Service temporarily unavailable' });
      expect(reply.headers['retry-after']).toBe('2');
    } finally {
      await sso.databaseProxy.set('open');
      await sso.close();
    }
  });
});

describe('sso.authentication.account-status=false', () => {
  test('lets a certificate in whatever the account of its name', async () => {
    const sso = await start(['--sso.authentication.account-status=false']);
    try {
      await addAccount(sso, { name: 'jane', disabled: true });
      expect((await byCertificate(sso, 'jane')).status).toBe(201);
    } finally {
      await sso.close();
    }
  });
});

describe('sso.authentication.attributes-from=accounts', () => {
  let sso: Sso;

  beforeAll(async () => {
    sso = await start([
      '--sso.authentication.attributes-from=accounts',
      '--sso.authentication.attributes-cache=1h',
    ]);
    const attributes = { memberOf: ['admin'], subjectDn: ['of the account'] };
    await addAccount(sso, { name: 'jane', attributes });
  });
  afterAll(() => sso.close());

  test('lets a certificate user with the role register a service, and nobody else', async () => {
    expect(await registering(sso, 'jane')).toBe(200);
    expect(await registering(sso, 'Jane')).toBe(403);
    expect(await registering(sso, 'stranger')).toBe(403);
  });

  test('joins them to those of the certificate, and wins where both have a name', async () => {
    const { body: tgt } = await byCertificate(sso, 'jane');
    expect(await attributesOf(sso, tgt)).toMatchObject({
      memberOf: ['admin'],
      subjectDn: ['of the account'],
      issuerDn: ['CN=Status Issuing,O=Example'],
    });
  });

  test('leaves a user without an account the attributes of the certificate', async () => {
    const { body: tgt } = await byCertificate(sso, 'stranger');
    expect(await attributesOf(sso, tgt)).toMatchObject({ subjectDn: ['CN=stranger'] });
  });

  // A session has the attributes of the certificate together with those of the account, which the cache has too.
  test('takes the role of registration away with the attribute of the account, in a live session', async () => {
    const { body: tgt } = await byCertificate(sso, 'jane');
    // 400 for the pattern shows that the user may register services.
    const form = { ...WIKI, serviceId: '(' };
    const registered = async (): Promise<number> => (await add(sso, tgt, { form })).status;
    expect(await registered()).toBe(400);
    await accountsOf(sso).change('jane', { attributes: { memberOf: [] } });
    expect(await registered()).toBe(403);
    await accountsOf(sso).change('jane', { attributes: { memberOf: ['admin'] } });
    expect(await registered()).toBe(400);
  });

  test('refuses a disabled account none the less', async () => {
    await accountsOf(sso).disable('jane');
    expect((await byCertificate(sso, 'jane')).status).toBe(400);
  });
});

describeWithSlapd('users of a directory', () => {
  let slapd: Slapd;
  let sso: Sso;

  beforeAll(async () => {
    slapd = await Slapd.start({
      entries: [
        person('jane', { departmentNumber: 'admin', mail: 'jane@example.org' }),
        person('casuser'),
        person('bob'),
      ],
    });
    sso = await start(['--sso.authentication.handlers=ldap', ...directory(slapd)], {
      'sso.yml': JSON.stringify({ 'sso.authentication.attributes-from': 'ldap' }),
    });
  });
  afterAll(async () => {
    await sso.close();
    await slapd.remove();
  });

  test.each(['jane', 'JANE', 'Jane'])(
    'cannot log in as %s past the disabled account of the name in the directory',
    async (username) => {
      await addAccount(sso, { name: 'jane', disabled: true });
      const reply = await post(sso, { username, password: PASSWORD });
      await sso.database.dataSource.query('delete from user_account');
      expect([reply.status, reply.body]).toEqual([400, REFUSED]);
      expect((await post(sso, { username, password: PASSWORD })).status).toBe(201);
    },
  );

  test('register services by certificate with attributes-from=ldap', async () => {
    expect(await registering(sso, 'jane')).toBe(200);
    expect(await registering(sso, 'casuser')).toBe(403);
    const { body: tgt } = await byCertificate(sso, 'jane');
    expect(await attributesOf(sso, tgt)).toMatchObject({
      mail: ['jane@example.org'],
      subjectDn: ['CN=jane'],
    });
  });

  test('have their attributes by exactly their name, and strangers keep their own', async () => {
    expect(await registering(sso, 'Jane')).toBe(403);
    const { body: tgt } = await byCertificate(sso, 'stranger');
    expect(await attributesOf(sso, tgt)).toMatchObject({ subjectDn: ['CN=stranger'] });
  });

  test('lose the role of registration with its attribute in the directory, in a live session', async () => {
    const { body: tgt } = await post(sso, { username: 'jane', password: PASSWORD });
    // 400 for the pattern shows that the user may register services.
    const form = { ...WIKI, serviceId: '(' };
    const registered = async (): Promise<number> => (await add(sso, tgt, { form })).status;
    expect(await registered()).toBe(400);
    const { dn } = person('jane');
    await slapd.replace(dn, 'departmentNumber', 'guest');
    expect(await registered()).toBe(403);
    await slapd.replace(dn, 'departmentNumber', 'admin');
  });

  // Last: it takes the directory away.
  test('log in by certificate with no fewer rights: 503 while the directory is unavailable', async () => {
    await slapd.stop();
    const reply = await byCertificate(sso, 'jane');
    expect(reply).toMatchObject({ status: 503, body: 'Service temporarily unavailable' });
    await sso.reconfigure({});
    expect(await registering(sso, 'jane')).toBe(403);
  });
});

function directory({ url }: Slapd): readonly string[] {
  const attributes = { mail: 'mail', departmentNumber: 'memberOf' };
  return [
    `--sso.authentication.ldap.urls=${url}`,
    `--sso.authentication.ldap.base-dn=${BASE}`,
    `--sso.authentication.ldap.bind-dn=${SERVICE_ACCOUNT.dn}`,
    `--sso.authentication.ldap.bind-password=${SERVICE_ACCOUNT.password}`,
    `--sso.authentication.ldap.attributes=${JSON.stringify(attributes)}`,
  ];
}
