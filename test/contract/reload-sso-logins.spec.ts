// Settings of the SSO on who gets in, and from where: each changes what callers see with the reload, and not before it, in
// both directions. A login that is under way keeps those it began with.
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { AccountStore, type NewAccount } from '@tessera/accounts';
import { PasswordHashing } from '@tessera/crypto';
import { bindAnswer, message } from '../support/ldap-messages.js';
import { expectEffect, THROTTLE, type Effect } from '../support/reload-effects.js';
import { refuseBind, ReloadableSso, type Settings } from '../support/reloadable-sso.js';
import { add } from '../support/service-registration.js';
import { until } from '../support/until.js';

let server: ReloadableSso;

beforeAll(async () => {
  server = await ReloadableSso.start();
});
afterAll(() => server.close());
beforeEach(() => server.reset());

async function withCertificate(): Promise<number[]> {
  const replies = server.certificates.clients.map((cert) => server.post({ cert }));
  return (await Promise.all(replies)).map(({ status }) => status);
}

/** 403 where one may not register services, and 400 where one may, but not such a one. */
async function registering(username: string): Promise<number> {
  const form = { serviceId: '(', name: 'x', description: 'x' };
  return (await add(server.sso, await server.sso.login(username), { form })).status;
}

/** While there is such an account, whose password nobody knows. */
async function withAccount<T>(
  account: Omit<NewAccount, 'passwordHash'>,
  work: () => Promise<T>,
): Promise<T> {
  const { dataSource } = server.sso.database;
  await AccountStore.of(dataSource).add({ passwordHash: 'none', ...account });
  try {
    return await work();
  } finally {
    await dataSource.query('delete from user_account where name = $1', [account.name]);
  }
}

/** Whom the line of a login says it came from. */
async function loggedAddress(): Promise<unknown> {
  await server.login('ann', 'wrong', {
    headers: { 'x-forwarded-for': '192.0.2.7', forwarded: 'for=192.0.2.8' },
    localAddress: '127.0.0.9',
  });
  const [last = ''] = server.logLines.filter((line) => line.includes('"clientAddress"')).slice(-1);
  return (JSON.parse(last) as { clientAddress: unknown }).clientAddress;
}

const EFFECTS: readonly Effect[] = [
  THROTTLE,
  {
    rule: 'the role that registers services, by name and value',
    settings: () => ({
      'sso.rest.services.role-name': 'mail',
      'sso.rest.services.role-value': '.*@example\\.net',
    }),
    seen: async () => [await registering('casuser'), await registering('ann')],
    before: [400, 403],
    after: [403, 400],
  },
  {
    rule: 'the value of that role',
    settings: () => ({ 'sso.rest.services.role-value': 'ops|dev' }),
    seen: async () => [await registering('casuser'), await registering('ann')],
    before: [400, 403],
    after: [403, 400],
  },
  {
    rule: 'the hosts that are trusted with certificates',
    settings: () => ({ 'sso.rest.x509.trusted-hosts': '192.0.2.1' }),
    seen: withCertificate,
    before: [201, 400],
    after: [400, 400],
  },
  {
    rule: 'the authorities of certificates',
    settings: () => ({ 'sso.rest.x509.ca-file': join(server.certificates.folder, 'ca1.pem') }),
    seen: withCertificate,
    before: [201, 400],
    after: [400, 201],
  },
  {
    rule: 'how early the log warns of revocation lists',
    settings: () => ({
      'sso.rest.x509.crl-files': join(server.certificates.folder, 'ca0.crl'),
      'sso.rest.x509.crl-warning': '10d',
    }),
    seen: () => Promise.resolve(server.warnsOfExpiringLists()),
    before: false,
    after: true,
  },
  {
    rule: 'the header with certificates',
    settings: () => ({
      'sso.rest.x509.header.name': 'X-Cert',
      'sso.rest.x509.header.proxies': '127.0.0.0/8',
    }),
    seen: async () => {
      const headers = { 'x-cert': encodeURIComponent(server.certificates.clients[0] ?? '') };
      return (await server.post({}, { headers })).status;
    },
    before: 400,
    after: 201,
  },
  {
    rule: 'the proxies that are trusted',
    settings: () => ({ 'sso.proxies.trusted': '127.0.0.9' }),
    seen: loggedAddress,
    before: '127.0.0.9',
    after: '192.0.2.7',
  },
  {
    rule: 'the proxies that are trusted, and their header',
    settings: () => ({ 'sso.proxies.header': 'forwarded', 'sso.proxies.trusted': '127.0.0.9' }),
    seen: loggedAddress,
    before: '127.0.0.9',
    after: '192.0.2.8',
  },
  {
    rule: 'static users and their passwords',
    settings: () => ({
      'sso.authentication.static.attributes': {},
      'sso.authentication.static.users': ['casuser::Mellon2', 'bob::Mellon'],
    }),
    seen: async () => [
      await server.login('casuser'),
      await server.login('casuser', 'Mellon2'),
      await server.login('bob'),
    ],
    before: [201, 400, 400],
    after: [400, 201, 201],
  },
  {
    rule: 'attributes of static users',
    settings: () => ({
      'sso.authentication.static.attributes': { casuser: { mail: 'cas@example.net' } },
    }),
    seen: () => server.releasedMail('/p3/serviceValidate'),
    before: 'c@example.org',
    after: 'cas@example.net',
  },
  {
    rule: 'whether the status of accounts counts for certificates',
    settings: () => ({ 'sso.authentication.account-status': false }),
    seen: () => withAccount({ name: 'carol', disabled: true }, withCertificate),
    before: [400, 400],
    after: [201, 400],
  },
  {
    rule: 'where further attributes come from',
    settings: () => ({ 'sso.authentication.attributes-from': 'accounts' }),
    seen: () =>
      withAccount({ name: 'ann', attributes: { memberOf: ['admin'] } }, () => registering('ann')),
    before: 403,
    after: 400,
  },
  {
    rule: 'the directory',
    settings: () => ({ 'sso.authentication.ldap.urls': server.directories.other.url }),
    seen: () => server.login('alice'),
    before: 400,
    after: 201,
  },
];

describe('a reload changes', () => {
  test.each(EFFECTS)('$rule', (effect) => expectEffect(server, effect));

  test('what new hashes of passwords cost', async () => {
    const accounts = AccountStore.of(server.sso.database.dataSource);
    const hashing = new PasswordHashing({ memory: 8, iterations: 1, parallelism: 1 });
    await accounts.add({ name: 'dora', passwordHash: await hashing.hash('Mellon') });
    await server.change({ 'sso.authentication.accounts.argon2.iterations': 2 });
    expect(await server.login('dora')).toBe(201);
    await until('the hash is renewed', async () =>
      (await accounts.find('dora'))?.passwordHash.includes('t=2'),
    );
    expect(await server.login('dora')).toBe(201);
  });
});

describe('a reload leaves', () => {
  test('a login that is under way to its end, with the directory it began with', async () => {
    let answer = (): void => undefined;
    const isAsked = new Promise<void>((resolve) => {
      server.directories.first.onBind = (id, socket) => {
        answer = () => socket?.write(message(id, bindAnswer(0)));
        resolve();
        return Buffer.alloc(0);
      };
    });
    const begun = server.login('alice');
    await isAsked;
    await server.change({ 'sso.authentication.ldap.urls': server.directories.other.url });
    expect(await server.login('alice')).toBe(201);
    answer();
    expect(await begun).toBe(201);
  });
});

describe('a threshold of the throttle', () => {
  const throttle = (threshold: number): Settings => ({
    'sso.throttle.rest.enabled': true,
    'sso.throttle.rest.threshold': threshold,
  });

  test('that is raised ends blocks at once, as far as it goes', async () => {
    const address = server.newAddress();
    await server.change(throttle(2));
    expect(await server.failedLogins(3, address)).toEqual([400, 400, 429]);
    await server.change(throttle(4));
    expect(await server.failedLogins(3, address)).toEqual([400, 400, 429]);
  });

  test('that is lowered blocks at once whoever has failed as often', async () => {
    const address = server.newAddress();
    await server.change(throttle(4));
    expect(await server.failedLogins(2, address)).toEqual([400, 400]);
    await server.change(throttle(2));
    expect(await server.failedLogins(1, address)).toEqual([429]);
    await server.change({});
    expect(await server.failedLogins(1, address)).toEqual([400]);
  });

  test('that is lowered while logins are under way counts them', async () => {
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
