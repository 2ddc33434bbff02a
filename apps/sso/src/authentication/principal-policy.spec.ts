import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { AccountStore, UserAccount } from '@tessera/accounts';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/database.js';
import type { Verdict } from './authentication-handler.js';
import { FurtherAttributes } from './further-attributes.js';
import { PrincipalPolicy } from './principal-policy.js';
import type { AttributeSource } from './attribute-source.js';
import { PrincipalSettings } from '../settings/principal-settings.js';
import { SsoSettings } from '../settings/sso-settings.js';

const HANDLERS = ['static', 'ldap', 'x509'];
const refusing: Verdict = { refused: 'wrong password' };
const accepted = (id: string): Verdict => ({ accepted: { id, attributes: { mail: ['given'] } } });

let database: TestDatabase;
let store: AccountStore;
let statements: string[];

beforeAll(async () => {
  database = await createTestDatabase({ entities: [UserAccount] });
  store = AccountStore.of(database.dataSource);
  const account = { passwordHash: 'none', attributes: { mail: ['kept'], memberOf: ['admin'] } };
  await store.add({ name: 'disabled', ...account, disabled: true });
  await store.add({ name: 'expired', ...account, expiresAt: new Date(0) });
  await store.add({ name: 'active', ...account });
  await store.add({ name: 'J\u00fcrgen', ...account, disabled: true });
  const { logger } = database.dataSource;
  database.dataSource.logger = Object.assign(Object.create(logger) as typeof logger, {
    logQuery: (query: string) => statements.push(query),
  });
});
afterAll(() => database.drop());
beforeEach(() => {
  statements = [];
});

/** @param source in place of that of the settings */
function policyWith(
  principals: Partial<PrincipalSettings>,
  source?: AttributeSource,
): PrincipalPolicy {
  const settings = Object.assign(new SsoSettings(), {
    principals: Object.assign(new PrincipalSettings(), principals),
  });
  const sources = source === undefined ? [] : [source];
  const further = new FurtherAttributes(sources, settings.principals);
  return Object.assign(new PrincipalPolicy(settings, store), { further });
}

describe('the status of accounts', () => {
  const policy = () => policyWith({ accountStatus: true });

  test.each(HANDLERS)(
    'refuses a principal that handler %s accepted, by the account\u2019s name',
    async (by) => {
      const reasonFor = async (id: string) => (await policy().apply(accepted(id), by, 'x')).refused;
      expect(await reasonFor('disabled')).toBe('account disabled');
      expect(await reasonFor('expired')).toBe('account expired');
      expect(await reasonFor('J\u00fcrgen')).toBe('account disabled');
    },
  );

  test.each(['active', 'nobody', 'Disabled'])(
    'returns the verdict of the handler for %s',
    async (id) => {
      expect(await policy().apply(accepted(id), 'x509', 'x')).toEqual(accepted(id));
    },
  );

  test('leaves a refusal as it is, whatever the account', async () => {
    expect(await policy().apply(refusing, 'ldap', 'disabled')).toEqual(refusing);
  });

  test.each([
    ['an account that is disabled', accepted('disabled'), 'disabled'],
    ['an account that has expired', accepted('expired'), 'expired'],
    ['an unknown name', refusing, 'nobody'],
    ['a name that no account can have', refusing, '\0'],
    ['a wrong password', refusing, 'active'],
  ])('costs the same one statement for %s', async (_what, verdict, name) => {
    await policy().apply(accepted('active'), 'ldap', 'x');
    const [statement] = statements.splice(0);
    expect(statement).toContain('user_account');
    await policy().apply(verdict, 'ldap', name);
    expect(statements).toEqual([statement]);
  });

  test('is not checked again after the handler accounts', async () => {
    await policy().apply(accepted('active'), 'accounts', 'active');
    expect(statements).toEqual([]);
  });

  test('is not checked where the setting is off', async () => {
    const off = policyWith({ accountStatus: false });
    expect(await off.apply(accepted('disabled'), 'x509', 'x')).toEqual(accepted('disabled'));
    expect(statements).toEqual([]);
  });
});

describe('further attributes', () => {
  const fromAccounts: AttributeSource = {
    name: 'accounts',
    handlers: ['accounts'],
    attributesOf: async (id) => (await store.find(id))?.attributes,
  };
  const withAccounts = () => policyWith({ accountStatus: true }, fromAccounts);

  test('are added, and those of the source take precedence', async () => {
    const verdict = await withAccounts().apply(accepted('active'), 'x509', 'x');
    expect(verdict.accepted?.attributes).toEqual({ mail: ['kept'], memberOf: ['admin'] });
  });

  test('do not change other users', async () => {
    const verdict = await withAccounts().apply(accepted('nobody'), 'x509', 'x');
    expect(verdict).toEqual(accepted('nobody'));
  });

  test('are not read again where the handler of that name returned them', async () => {
    expect(await withAccounts().apply(accepted('active'), 'accounts', 'x')).toEqual(
      accepted('active'),
    );
    expect(statements).toEqual([]);
  });

  test('are not requested where the login is refused', async () => {
    const requested: string[] = [];
    const source: AttributeSource = {
      name: 'ldap',
      handlers: ['ldap'],
      attributesOf: (id) => Promise.resolve(void requested.push(id)),
    };
    const policy = policyWith({ accountStatus: true }, source);
    await policy.apply(accepted('disabled'), 'x509', 'x');
    await policy.apply(refusing, 'x509', 'active');
    expect(requested).toEqual([]);
  });

  test('that cannot be read leave the login undecided', async () => {
    const away = new Error('the directory is not available');
    const source: AttributeSource = {
      name: 'ldap',
      handlers: ['ldap'],
      attributesOf: () => Promise.reject(away),
    };
    const policy = policyWith({ accountStatus: false }, source);
    await expect(policy.apply(accepted('active'), 'x509', 'x')).rejects.toBe(away);
  });
});
