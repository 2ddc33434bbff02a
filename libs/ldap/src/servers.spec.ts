// Logins at servers that are unavailable, slow, restarted or wrong.
import { afterEach, beforeAll, beforeEach, afterAll, expect, test, describe } from '@jest/globals';
import { configureLogging } from '@tessera/logging';
import {
  NAMED,
  optionsFor,
  PASSWORD,
  person,
  SEARCHED,
} from '../../../test/support/ldap-people.js';
import { describeWithSlapd, Slapd } from '../../../test/support/slapd.js';
import { until } from '../../../test/support/until.js';
import { type TcpProxyState, LdapProxy } from '../../../test/support/tcp-proxy.js';
import { LdapDirectory } from './ldap-directory.js';
import type { LdapOptions } from './ldap-options.js';

const NOWHERE = 'ldap://127.0.0.1:1';
/** A working server needs a hundredth of it. */
const LIMIT = { connectTimeout: 300, timeout: 600 };

let proxies: LdapProxy[] = [];
let directories: LdapDirectory[] = [];
let lines: string[] = [];

beforeEach(() => {
  lines = [];
  const write = (line: string) => void lines.push(line);
  configureLogging({ application: 'test', levels: {}, pretty: false, write });
});
afterEach(async () => {
  for (const directory of directories) directory.close();
  for (const proxy of proxies) await proxy.close();
  [proxies, directories] = [[], []];
  configureLogging({ application: 'test', levels: { root: 'warn' } });
});

async function directoryOf(urls: readonly string[], more: Partial<LdapOptions> = {}) {
  const made = await LdapDirectory.open(optionsFor(urls, more));
  directories.push(made);
  return made;
}

async function doorTo(target: string, state: TcpProxyState = 'open'): Promise<LdapProxy> {
  const proxy = await LdapProxy.start(target, state);
  proxies.push(proxy);
  return proxy;
}

const failure = (work: Promise<unknown>) =>
  work.then(
    (answer) => answer,
    (error: unknown) => error,
  );

describe('without any server that answers, a login', () => {
  const UNAVAILABLE = {
    code: 'LDAP_UNAVAILABLE',
    isTemporary: true,
    message: 'The directory is not available.',
  };

  test('fails where nothing listens, and refuses no user', async () => {
    for (const users of [SEARCHED, NAMED]) {
      const ldap = await directoryOf([NOWHERE], { users });
      await expect(ldap.authenticate('alice', PASSWORD)).rejects.toMatchObject(UNAVAILABLE);
    }
  });

  test.each([
    ['waiting for an answer', {}],
    ['waiting for TLS', { startTls: true }],
  ])('fails in time, %s', async (_what, more) => {
    const proxy = await doorTo(NOWHERE, 'hang');
    const ldap = await directoryOf([proxy.url, proxy.url], { ...LIMIT, ...more });
    const answer = await failure(ldap.authenticate('alice', PASSWORD));
    expect(answer).toMatchObject(UNAVAILABLE);
    expect(proxy.accepted).toBe(2);
    await until('its connections are closed', () => proxy.openConnections === 0);
  });
});

describeWithSlapd('a server', () => {
  let slapd: Slapd;
  beforeAll(async () => {
    slapd = await Slapd.start({ entries: [person('alice')] });
  });
  afterAll(() => slapd.remove());

  const ACCEPTED = { accepted: { id: 'alice', attributes: {} } };

  test.each<[string, TcpProxyState]>([
    ['refuses connections', 'refuse'],
    ['never answers', 'hang'],
  ])('that %s is skipped, and not tried again for a while', async (_what, state) => {
    const first = await doorTo(slapd.url, state);
    const ldap = await directoryOf([first.url, slapd.url], LIMIT);
    const answer = await ldap.authenticate('alice', PASSWORD);
    expect(answer).toEqual(ACCEPTED);
    const tried = first.accepted;
    for (let login = 0; login < 5; login += 1) {
      expect(await ldap.authenticate('alice', PASSWORD)).toEqual(ACCEPTED);
    }
    expect(first.accepted).toBe(tried);
    expect(lines.filter((line) => line.includes('an LDAP server is unavailable'))).toHaveLength(1);
  });

  test('that was unavailable is tried again after a while, by one login at a time', async () => {
    const first = await doorTo(slapd.url, 'hang');
    const retryInterval = 400;
    const ldap = await directoryOf([first.url, slapd.url], { ...LIMIT, retryInterval });
    await ldap.authenticate('alice', PASSWORD);
    await until('the first is tried again', async () => {
      await Promise.all(Array.from({ length: 8 }, () => ldap.authenticate('alice', PASSWORD)));
      return first.accepted > 1;
    });
    expect(first.accepted).toBe(2);
    await first.set('open');
    await until('the first is available again', async () => {
      await ldap.authenticate('alice', PASSWORD);
      return lines.some((line) => line.includes('an LDAP server is available again'));
    });
    expect(first.accepted).toBeGreaterThan(2);
  });

  test('that was unavailable is tried at once where no other is left', async () => {
    const only = await doorTo(slapd.url, 'refuse');
    const ldap = await directoryOf([only.url]);
    await expect(ldap.authenticate('alice', PASSWORD)).rejects.toMatchObject({
      code: 'LDAP_UNAVAILABLE',
    });
    await only.set('open');
    expect(await ldap.authenticate('alice', PASSWORD)).toEqual(ACCEPTED);
  });

  test.each([
    ['by search', SEARCHED],
    ['by name', NAMED],
  ])('that stops answering on an open connection is left in time (%s)', async (_way, users) => {
    const proxy = await doorTo(slapd.url);
    const ldap = await directoryOf([proxy.url], { ...LIMIT, users });
    expect(await ldap.authenticate('alice', PASSWORD)).toEqual(ACCEPTED);
    await proxy.set('hang');
    const answer = await failure(ldap.authenticate('alice', PASSWORD));
    expect(answer).toMatchObject({ code: 'LDAP_UNAVAILABLE' });
  });

  test('may be restarted between two logins, or under many', async () => {
    const ldap = await directoryOf([slapd.url]);
    const login = () => ldap.authenticate('alice', PASSWORD);
    await Promise.all(Array.from({ length: 8 }, login));
    await slapd.restart();
    expect(await Promise.all(Array.from({ length: 8 }, login))).toEqual(
      Array.from({ length: 8 }, () => ACCEPTED),
    );

    await slapd.stop();
    await expect(login()).rejects.toMatchObject({ code: 'LDAP_UNAVAILABLE' });
    await slapd.restart();
    expect(await login()).toEqual(ACCEPTED);
  });

  test('has no more connections than the pools allow, and keeps them', async () => {
    const proxy = await doorTo(slapd.url);
    const ldap = await directoryOf([proxy.url], { poolSize: 3 });
    for (let round = 0; round < 3; round += 1) {
      await Promise.all(Array.from({ length: 20 }, () => ldap.authenticate('alice', PASSWORD)));
    }
    expect(proxy.accepted).toBeLessThanOrEqual(6);
    ldap.close();
    await until('all are closed', () => proxy.openConnections === 0);
  });

  test('that refuses our account is an error in the log, without the password', async () => {
    const account = { dn: 'cn=search,dc=example,dc=org', password: 'geheim' };
    const ldap = await directoryOf([slapd.url], { users: { ...SEARCHED, account } });
    await failure(ldap.authenticate('alice', PASSWORD));
    const [line] = lines.map((each): unknown => JSON.parse(each));
    expect(line).toMatchObject({
      level: 'error',
      server: slapd.url,
      error: {
        code: 'LDAP_REFUSED',
        cause: { message: expect.stringContaining('LDAP result 49') },
      },
    });
    expect(lines.join('')).not.toContain('geheim');
    expect(lines.join('')).not.toContain(PASSWORD);
  });
});
