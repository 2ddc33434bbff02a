// Reloads of the SSO: everything that callers see changes with one reload, and not before it; nothing changes with a refused
// one. What is under way ends as it began, and failures count on.
import { writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createTestPki } from '../support/pki/test-pki.js';
import { bindAnswer, message } from '../support/ldap-messages.js';
import { refuseBind, ReloadableSso, type Settings } from '../support/reloadable-sso.js';
import { APP } from '../support/sso.js';
import { add } from '../support/service-registration.js';
import { until } from '../support/until.js';
import { newTicket, validate } from '../support/validation.js';

const REFUSED = 'settings were not reloaded: the current ones stay';

let server: ReloadableSso;

beforeAll(async () => {
  server = await ReloadableSso.start();
});
afterAll(() => server.close());
beforeEach(() => server.reset());

/** 403 where one may not register services, and 400 where one may, but not such a one. */
async function registering(username: string): Promise<number> {
  const form = { serviceId: '(', name: 'x', description: 'x' };
  return (await add(server.sso, await server.sso.login(username), { form })).status;
}

/** Where a login comes from by its line in the log. */
async function loggedAddress(): Promise<unknown> {
  const headers = { 'x-forwarded-for': '192.0.2.7' };
  await server.login('ann', 'wrong', { headers, localAddress: '127.0.0.9' });
  const last = server.logLines.findLast((line) => line.includes('"clientAddress"')) ?? '{}';
  return (JSON.parse(last) as { clientAddress?: unknown }).clientAddress;
}

/** The mail attribute that a CAS 2 validation releases. */
async function releasedMail(): Promise<string> {
  const ticket = await newTicket(server.sso);
  const { body } = await validate(server.sso, '/serviceValidate', { service: APP, ticket });
  return /<cas:mail>(.*)<\/cas:mail>/.exec(body)?.[1] ?? 'none';
}

/** Of a new session and its ticket, in seconds. */
async function lifetimes(): Promise<unknown> {
  await newTicket(server.sso);
  const [row] = await server.sso.database.dataSource.query<readonly { seconds: unknown }[]>(`
    select array[
      extract(epoch from s.hard_expires_at - s.created_at),
      extract(epoch from s.expires_at - s.last_used_at),
      (select extract(epoch from t.expires_at - s.last_used_at) from (
        select * from service_ticket_0 union all select * from service_ticket_1 union all
        select * from service_ticket_2 union all select * from service_ticket_3) t
        where t.session_id = s.id)]::float8[] as seconds
    from ticket_granting_ticket s order by created_at desc limit 1`);
  return row?.seconds;
}

/** What callers see of the settings. */
async function observed() {
  return {
    wrongPassword: await server.login('ann', 'wrong'),
    unknownTicket: (
      await validate(server.sso, '/serviceValidate', { service: 'https://x', ticket: 'ST-1' })
    ).status,
    lifetimes: await lifetimes(),
    mail: await releasedMail(),
    registering: [await registering('casuser'), await registering('ann')],
    certificate: await server.loginAsCarol(),
    address: await loggedAddress(),
    newUser: await server.login('bob'),
  };
}

const BEFORE = {
  wrongPassword: 400,
  unknownTicket: 400,
  lifetimes: [28_800, 7_200, 10],
  mail: 'c@example.org',
  registering: [400, 403],
  certificate: 201,
  address: '127.0.0.9',
  newUser: 400,
};

const CHANGES: Settings = {
  'sso.dialect': 'apereo',
  'sso.tickets.tgt.idle-timeout': '5m',
  'sso.tickets.tgt.max-lifetime': '10m',
  'sso.tickets.st.lifetime': '25s',
  'sso.validation.cas2-attributes': false,
  'sso.rest.services.role-value': 'ops|dev',
  'sso.rest.x509.trusted-hosts': '192.0.2.1',
  'sso.proxies.trusted': '127.0.0.9',
  'sso.authentication.static.users': ['casuser::Mellon', 'ann::Mellon', 'bob::Mellon'],
};
const AFTER = {
  wrongPassword: 401,
  unknownTicket: 200,
  lifetimes: [600, 300, 25],
  mail: 'none',
  registering: [403, 400],
  certificate: 401,
  address: '192.0.2.7',
  newUser: 201,
};

test('everything changes with a reload and not before it, and tickets keep their time', async () => {
  const ticket = await newTicket(server.sso);
  expect(await observed()).toEqual(BEFORE);
  await server.write(CHANGES);
  expect(await observed()).toEqual(BEFORE);
  const changed = Object.keys(CHANGES).toSorted();
  expect(await server.sso.reload()).toEqual({ changed, restart: [] });
  expect(await observed()).toEqual(AFTER);
  expect(await validate(server.sso, '/validate', { service: APP, ticket })).toMatchObject({
    body: 'yes\ncasuser\n',
  });
  expect(await server.change({})).toEqual({ changed, restart: [] });
  expect(await observed()).toEqual(BEFORE);
});

describe('a refused reload names every fault and changes nothing', () => {
  test.each<[string, Settings, readonly RegExp[]]>([
    [
      'of settings',
      {
        'sso.rest.services.role-value': '(',
        'sso.authentication.static.users': ['ann'],
      },
      [/^sso\.authentication\.static\.users: /, /^sso\.rest\.services\.role-value: .*sso\.yml/],
    ],
    [
      'of the new application',
      { 'sso.rest.x509.ca-file': '/none.pem', 'sso.rest.x509.trusted-hosts': '' },
      [/^sso\.rest\.x509\.ca-file: .*\/none\.pem/],
    ],
    [
      'of its directory',
      { 'sso.authentication.ldap.ca-file': '/none.pem' },
      [/^sso\.authentication\.ldap\.ca-file: .*\/none\.pem/],
    ],
  ])('%s', async (_what, settings, faults) => {
    const outcome = await server.change({ ...CHANGES, ...settings });
    const problems = 'problems' in outcome ? outcome.problems.toSorted() : [];
    expect(problems).toEqual(faults.map((fault) => expect.stringMatching(fault)));
    expect(await observed()).toEqual(BEFORE);
    expect(await server.sso.reload()).toEqual(outcome);
    const log = server.logLines.join('');
    expect(log.split(REFUSED)).toHaveLength(3);
    expect(log).not.toMatch(/Mellon|accepts no certificate/);
  });
});

test('a risk that a reload causes is logged', async () => {
  await server.change({
    'sso.rest.services.role-name': '',
    'sso.rest.services.role-value': '',
    'sso.rest.x509.trusted-hosts': '',
  });
  expect(server.logLines.filter((line) => line.includes('"level":"warn"'))).toEqual([
    expect.stringContaining('nobody may register services'),
    expect.stringContaining('module rest-x509 accepts no certificate'),
  ]);
});

describe('files that settings name', () => {
  test.each([
    ['ca.crl', 'sso.rest.x509.crl-files'],
    ['ca.pem', 'sso.rest.x509.ca-file'],
  ])('refuse the reload while %s is broken', async (name, key) => {
    await server.write({ 'sso.dialect': 'apereo' });
    await server.replace(name, 'no certificate, and no list');
    const problem = expect.stringMatching(`^${key}: .*${name} is of no use`);
    expect(await server.sso.reload()).toEqual({ problems: [problem] });
    expect([await server.loginAsCarol(), await server.login('ann', 'wrong')]).toEqual([201, 400]);
  });

  test.each([
    ['ca.crl', ({ pki, carol }: ReloadableSso['authority']) => pki.lists(carol)],
    [
      'ca.pem',
      async ({ pki }: ReloadableSso['authority']) =>
        pki.root.pem + (await createTestPki('Other')).bundle,
    ],
  ])('count at once: %s', async (name, content) => {
    const changed = await content(server.authority);
    await server.replace(name, changed);
    const files = [server.path(name)];
    expect(await server.sso.reload()).toEqual({ changed: [], restart: [], files });
    expect(await server.loginAsCarol()).toBe(400);
  });

  test('count without a reload too: a revocation while settings are invalid', async () => {
    await server.write({ 'sso.dialect': 'none' });
    expect(await server.sso.reload()).toHaveProperty('problems');
    await writeFile(
      server.path('ca.crl'),
      await server.authority.pki.lists(server.authority.carol),
    );
    await until('it is revoked', async () => (await server.loginAsCarol()) === 400);
    const taken = server.logLines.filter((line) => line.includes('a changed file is used now'));
    expect(taken).toEqual([expect.not.stringContaining('requestId')]);
  });
});

test('a login that is under way ends with the directory it began with', async () => {
  const asked = Promise.withResolvers<() => void>();
  server.directories.first.onBind = (id, socket) => {
    asked.resolve(() => socket?.write(message(id, bindAnswer(0))));
    return Buffer.alloc(0);
  };
  const begun = server.login('alice');
  const answer = await asked.promise;
  await server.change({ 'sso.authentication.ldap.urls': server.directories.other.url });
  expect(await server.login('alice')).toBe(201);
  answer();
  expect(await begun).toBe(201);
});

describe('failed logins', () => {
  const throttle = (threshold: number): Settings => ({
    'sso.throttle.rest.enabled': true,
    'sso.throttle.rest.threshold': threshold,
  });

  test('count on, by the threshold of the reload', async () => {
    const address = server.newAddress();
    await server.change(throttle(2));
    expect(await server.failedLogins(3, address)).toEqual([400, 400, 429]);
    await server.change(throttle(4));
    expect(await server.failedLogins(3, address)).toEqual([400, 400, 429]);
    await server.change({});
    expect(await server.failedLogins(1, address)).toEqual([400]);
  });

  test('that are under way count too', async () => {
    const answers: (() => void)[] = [];
    server.directories.first.onBind = (id, socket) => {
      answers.push(() => socket?.write(refuseBind(id)));
      return Buffer.alloc(0);
    };
    const localAddress = server.newAddress();
    await server.change(throttle(3));
    const begun = [1, 2, 3].map(() => server.login('alice', 'wrong', { localAddress }));
    await until('they are under way', () => answers.length === 3);
    await server.change(throttle(2));
    const late = server.login('alice', 'wrong', { localAddress });
    for (const answer of answers) answer();
    expect(await Promise.all(begun)).toEqual([400, 400, 400]);
    expect(await late).toBe(429);
    expect(answers).toHaveLength(3);
  });
});
