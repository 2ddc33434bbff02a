// A directory that is closed during logins, because another replaces it.
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { LdapProxy } from '../../../test/support/tcp-proxy.js';
import { optionsFor, PASSWORD, person, SEARCHED } from '../../../test/support/ldap-people.js';
import { describeWithSlapd, SERVICE_ACCOUNT, Slapd } from '../../../test/support/slapd.js';
import { until } from '../../../test/support/until.js';
import { LdapDirectory } from './ldap-directory.js';

const POOL_SIZE = 2;
const ALL_IN = new Set(['alice']);

let slapd: Slapd;
let proxy: LdapProxy;
let password: string;

/** Changes the password of the service account in slapd. */
async function changePassword(): Promise<void> {
  password = `${password}!`;
  await slapd.changePassword(SERVICE_ACCOUNT.dn, password);
}

function open(): Promise<LdapDirectory> {
  const users = { ...SEARCHED, account: { ...SERVICE_ACCOUNT, password } };
  return LdapDirectory.open(optionsFor([proxy.url], { users, poolSize: POOL_SIZE }));
}

/** The ids of the users that log in, of `count` concurrent logins. */
async function logins(directory: LdapDirectory, count: number): Promise<ReadonlySet<unknown>> {
  const login = () => directory.authenticate('alice', PASSWORD);
  const verdicts = await Promise.all(Array.from({ length: count }, login));
  return new Set(verdicts.map(({ accepted }) => accepted?.id));
}

describeWithSlapd('a directory', () => {
  beforeAll(async () => {
    slapd = await Slapd.start({ entries: [person('alice')] });
    proxy = await LdapProxy.start(slapd.url);
    password = SERVICE_ACCOUNT.password;
  });
  afterAll(async () => {
    await proxy.close();
    await slapd.remove();
  });
  beforeEach(() => until('all connections are closed', () => proxy.openConnections === 0));

  test('closed under load completes every login, queued ones too, and leaves no connection', async () => {
    const directory = await open();
    await logins(directory, POOL_SIZE);
    await changePassword();
    const underWay = logins(directory, 5 * POOL_SIZE);
    directory.close();
    expect(await underWay).toEqual(ALL_IN);
    await until('all connections are closed', () => proxy.openConnections === 0);
  });

  test('refuses no login on connections bound with the old password', async () => {
    const directory = await open();
    await logins(directory, POOL_SIZE);
    await changePassword();
    expect(await logins(directory, 5 * POOL_SIZE)).toEqual(ALL_IN);
    directory.close();
  });

  test('opened with the new password replaces the old one at once', async () => {
    const old = await open();
    await logins(old, POOL_SIZE);
    await changePassword();
    const young = await open();
    const all = [logins(old, 5 * POOL_SIZE), logins(young, 5 * POOL_SIZE)];
    old.close();
    expect(await Promise.all(all)).toEqual([ALL_IN, ALL_IN]);
    young.close();
  });
});
