import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { connect } from '@tessera/database';
import { createTestDatabase } from '../../../test/support/database.js';
import { AccountStore, type AccountChange, type NewAccount } from './account-store.js';
import { UserAccount } from './user-account.entity.js';

const HOUR = 3_600_000;
const alice: NewAccount = { name: 'alice', passwordHash: 'hash of alice' };

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let store: AccountStore;

beforeAll(async () => {
  database = await createTestDatabase({ entities: [UserAccount] });
  store = AccountStore.of(database.dataSource);
});
afterAll(() => database.drop());
beforeEach(() => database.dataSource.query('delete from user_account'));

const found = async (name: string) => {
  const account = await store.find(name);
  if (!account) {
    throw new Error(`no account ${name}`);
  }
  return account;
};

test('an account that looks like another can be disabled and removed, but not log in', async () => {
  await store.add(alice);
  const name = 'ali\u200bce';
  const insert = "insert into user_account (name, password_hash) values ($1, 'x')";
  await database.dataSource.query(insert, [name]);
  for (const user of [name, 'ali\u00adce']) {
    expect(await store.login(user, 'decoy')).toEqual({ state: 'unknown', passwordHash: 'decoy' });
  }
  await store.disable(name);
  expect(await store.findSummary(name)).toMatchObject({ name, disabled: true });
  expect(await store.state(name)).toBe('disabled');
  await store.remove(name);
  expect((await store.list({ limit: 10 })).map((each) => each.name)).toEqual(['alice']);
});

describe('add', () => {
  test.each([
    ['a name that none can have', { name: ' alice' }],
    ['a name that looks like another', { name: 'ali\u200bce' }],
    ['a NUL in an attribute', { attributes: { mail: ['\0'] } }],
    ['an attribute that holds passwords', { attributes: { ntHash: ['x'] } }],
  ])('refuses %s as ACCOUNT_INVALID', async (_what, change) => {
    await expect(store.add({ ...alice, ...change })).rejects.toMatchObject({
      code: 'ACCOUNT_INVALID',
    });
    expect(await store.list({ limit: 10 })).toEqual([]);
  });

  test.each(['alice', 'J\u00fcrgen'])(
    'refuses the name %s a second time as ACCOUNT_EXISTS, and leaves the account alone',
    async (name) => {
      await store.add({ ...alice, name });
      const again = store.add({ name: name.normalize('NFD'), passwordHash: 'other' });
      await expect(again).rejects.toMatchObject({ code: 'ACCOUNT_EXISTS' });
      expect(await store.find(name)).toMatchObject({ passwordHash: alice.passwordHash });
    },
  );

  test('adds one of several that arrive at once', async () => {
    const answers = await Promise.allSettled(
      Array.from({ length: 8 }, (_, index) => store.add({ ...alice, passwordHash: `${index}` })),
    );
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  test('stores all fields', async () => {
    const expiresAt = new Date(Date.now() + HOUR);
    const attributes = {
      mail: ['a@example.org'],
      memberOf: ['x', 'y'],
      none: [],
      ['__proto__']: ['z'],
    };
    await store.add({ ...alice, attributes, disabled: true, expiresAt });
    const account = await found('alice');
    expect(account).toMatchObject({ ...alice, disabled: true, expired: false, expiresAt });
    expect(Object.entries(account.attributes).toSorted()).toEqual(
      Object.entries(attributes).toSorted(),
    );
  });

  test('makes an enabled account without attributes that never expires by default', async () => {
    await store.add(alice);
    const account = await found('alice');
    expect(account).toMatchObject({ attributes: {}, disabled: false, expired: false });
    expect(account.expiresAt).toBeNull();
    expect(account.createdAt).toEqual(account.passwordChangedAt);
    expect(Math.abs(account.createdAt.getTime() - Date.now())).toBeLessThan(HOUR);
  });
});

describe('find', () => {
  test.each(['bob', 'Alice', 'alice ', '%', '', 'al\0ice', '\ud800', 'x'.repeat(100_000)])(
    'finds no account as %p',
    async (name) => {
      await store.add(alice);
      expect(await store.find(name)).toBeUndefined();
    },
  );

  test('takes a name in any Unicode form', async () => {
    await store.add({ ...alice, name: 'Ju\u0308rgen' });
    expect((await found('J\u00fcrgen')).name).toBe('J\u00fcrgen');
    expect((await found('Ju\u0308rgen')).name).toBe('J\u00fcrgen');
  });

  test.each([
    ['has expired from that moment on', -1, true],
    ['has not expired before', HOUR, false],
  ])('reports that an account %s', async (_what, fromNow, expired) => {
    await store.add({ ...alice, expiresAt: new Date(Date.now() + fromNow) });
    expect((await found('alice')).expired).toBe(expired);
  });

  test('rejects with DATABASE_UNAVAILABLE when its connection is cut', async () => {
    const dataSource = await connect({
      url: database.url,
      applicationName: 'cut',
      entities: [UserAccount],
    });
    const answer = await database.dataSource.transaction(async (blocker) => {
      await blocker.query('lock table user_account');
      const waiting = AccountStore.of(dataSource)
        .find('alice')
        .catch((error: unknown) => error);
      const cut = `select pg_terminate_backend(pid) from pg_stat_activity
        where application_name = 'cut' and wait_event_type = 'Lock'`;
      while ((await blocker.query(cut)).length === 0);
      return waiting;
    });
    expect(answer).toMatchObject({ code: 'DATABASE_UNAVAILABLE' });
    await dataSource.destroy();
  });
});

describe('changes', () => {
  test.each<[string, (name: string) => Promise<unknown>]>([
    ['setPassword', (name) => store.setPassword(name, 'x')],
    ['disable', (name) => store.disable(name)],
    ['enable', (name) => store.enable(name)],
    ['change', (name) => store.change(name, {})],
    ['remove', (name) => store.remove(name)],
  ])('%s of an unknown account is ACCOUNT_NOT_FOUND', async (_what, change) => {
    await store.add(alice);
    await expect(change('Alice')).rejects.toMatchObject({ code: 'ACCOUNT_NOT_FOUND' });
  });

  test('invalid attributes are ACCOUNT_INVALID and change nothing', async () => {
    await store.add(alice);
    const change = { disabled: true, attributes: { '': ['x'] } };
    await expect(store.change('alice', change)).rejects.toMatchObject({ code: 'ACCOUNT_INVALID' });
    expect((await found('alice')).disabled).toBe(false);
  });

  const expiresAt = new Date('2027-06-30T00:00:00Z');
  const before = {
    ...alice,
    attributes: { mail: ['a'], phone: ['1', '2'] },
    disabled: true,
    expiresAt,
  };
  test.each<[string, AccountChange, object]>([
    ['nothing', {}, before],
    ['the password', { passwordHash: 'new' }, { ...before, passwordHash: 'new' }],
    ['the disabled flag', { disabled: false }, { ...before, disabled: false }],
    ['the expiry', { expiresAt: null }, { ...before, expiresAt: null }],
    [
      'one attribute',
      { attributes: { mail: ['b', 'c'] } },
      { ...before, attributes: { mail: ['b', 'c'], phone: ['1', '2'] } },
    ],
    [
      'an attribute away',
      { attributes: { phone: [] } },
      { ...before, attributes: { mail: ['a'] } },
    ],
    ['what is undefined not at all', { disabled: undefined, passwordHash: undefined }, before],
  ])('change %s and keep the rest', async (_what, change, after) => {
    await store.add(before);
    await store.change('alice', change);
    expect(await found('alice')).toMatchObject(after);
    expect((await found('alice')).attributes).toEqual(Reflect.get(after, 'attributes'));
  });

  test('a new password is dated, another change is not a new password', async () => {
    await store.add(alice);
    await database.dataSource.query(
      `update user_account set updated_at = '2020-01-01', password_changed_at = '2020-01-01'`,
    );
    await store.disable('alice');
    const disabled = await found('alice');
    expect(disabled.updatedAt.getFullYear()).toBeGreaterThan(2020);
    expect(disabled.passwordChangedAt.getFullYear()).toBe(2020);
    await store.setPassword('alice', 'new');
    expect((await found('alice')).passwordChangedAt.getFullYear()).toBeGreaterThan(2020);
  });

  test.each<[string, AccountChange]>([
    ['nothing', {}],
    ['what is so already', { disabled: true, expiresAt, attributes: { mail: ['a'] } }],
    ['an attribute away that is not there', { attributes: { site: [] } }],
  ])('that change %s are not written', async (_what, change) => {
    await store.add(before);
    const kept = await found('alice');
    expect(await store.change('alice', change)).toBe(false);
    expect(await found('alice')).toEqual(kept);
  });

  test('a password is written even if it is the same', async () => {
    await store.add(alice);
    expect(await store.change('alice', { passwordHash: alice.passwordHash })).toBe(true);
  });

  test('two concurrent ones are both kept', async () => {
    await store.add(alice);
    const names = Array.from({ length: 8 }, (_, index) => `a${index}`);
    await Promise.all(names.map((key) => store.change('alice', { attributes: { [key]: ['x'] } })));
    expect(Object.keys((await found('alice')).attributes).toSorted()).toEqual(names);
  });
});

test('remove removes one account, by its name in any Unicode form', async () => {
  await store.add(alice);
  await store.add({ ...alice, name: 'J\u00fcrgen' });
  await store.remove('Ju\u0308rgen');
  expect(await store.list({ limit: 10 })).toMatchObject([{ name: 'alice' }]);
});

describe('replaceHash', () => {
  test('replaces the given hash, and changes no dates', async () => {
    await store.add(alice);
    const { updatedAt, passwordChangedAt } = await found('alice');
    expect(await store.replaceHash('alice', alice.passwordHash, 'renewed')).toBe(true);
    expect(await found('alice')).toMatchObject({
      passwordHash: 'renewed',
      updatedAt,
      passwordChangedAt,
    });
  });

  test('leaves a password that was changed concurrently', async () => {
    await store.add(alice);
    await store.setPassword('alice', 'changed');
    expect(await store.replaceHash('alice', alice.passwordHash, 'renewed')).toBe(false);
    expect((await found('alice')).passwordHash).toBe('changed');
  });
});

describe('list', () => {
  const names = ['B', 'a', 'b', '\u00e4'];

  test('gives pages by code point, without hashes', async () => {
    for (const name of names.toReversed()) {
      await store.add({ ...alice, name });
    }
    const first = await store.list({ limit: 3 });
    const second = await store.list({ limit: 3, after: 'b' });
    expect([...first, ...second].map(({ name }) => name)).toEqual(names);
    expect(first[0]).toMatchObject({ name: 'B', disabled: false, expired: false, expiresAt: null });
    expect(JSON.stringify(first)).not.toContain('hash');
  });

  test('existing returns the names that have an account', async () => {
    await store.add(alice);
    expect(await store.existing(['alice', 'Alice', 'bob'])).toEqual(new Set(['alice']));
    expect(await store.existing([])).toEqual(new Set());
  });
});

test('a transaction that fails leaves nothing behind', async () => {
  const work = store.transaction(async (inside) => {
    await inside.add(alice);
    await inside.change('alice', { disabled: true });
    throw new Error('stop');
  });
  await expect(work).rejects.toThrow('stop');
  expect(await store.find('alice')).toBeUndefined();
});

describe('the table itself', () => {
  test.each([
    ['an empty name', `('', 'h', '{}')`],
    ['attributes that are no object', `('a', 'h', '[]')`],
    ['an attribute that is no list', `('a', 'h', '{"mail": "x"}')`],
    ['a value that is no text', `('a', 'h', '{"mail": ["x", 1]}')`],
    ['an account without hash', `('a', null, '{}')`],
  ])('refuses %s', async (_what, values) => {
    const insert = `insert into user_account (name, password_hash, attributes) values ${values}`;
    await expect(database.dataSource.query(insert)).rejects.toMatchObject({
      code: expect.stringMatching(/^23/),
    });
  });
});
