import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { PasswordHashing } from '@tessera/crypto';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/database.js';
import type { NewClient } from '../client-definition.js';
import { ClientSecrets } from './client-secrets-store.js';
import { RegisteredServiceEntity } from './registered-service.entity.js';
import { ServiceStore } from './service-store.js';

const hashing = new PasswordHashing({ memory: 8_192, iterations: 1, parallelism: 1 });

let database: TestDatabase;
let store: ServiceStore;
let secrets: ClientSecrets;

beforeAll(async () => {
  database = await createTestDatabase({ entities: [RegisteredServiceEntity] });
  store = ServiceStore.of(database.dataSource);
  secrets = new ClientSecrets(database.dataSource.manager);
});
afterAll(() => database.drop());
beforeEach(() => database.dataSource.query('delete from registered_service'));

let clients = 0;
async function client(fields: NewClient = {}): Promise<string> {
  const redirectUris = ['https://app.example.org/cb'];
  const clientId = `app-${++clients}`;
  return (await store.add({ name: 'app', clientId, client: { redirectUris, ...fields } })).id;
}

const isSecret = (id: string, secret: string) =>
  secrets.matches(id, secret, async (hashes) => {
    const matches = await Promise.all(hashes.map((hash) => hashing.verify(hash, secret)));
    return matches.includes(true);
  });

describe('a secret is refused', () => {
  test.each<[string, () => Promise<string>, object]>([
    ['of no service', () => Promise.resolve('4711'), { code: 'SERVICE_NOT_FOUND' }],
    ['of what is no id', () => Promise.resolve('1 or true'), { code: 'SERVICE_NOT_FOUND' }],
    [
      'of a service that is no client',
      async () => (await store.add({ name: 'a', serviceId: 'https://a/.*' })).id,
      { message: 'client must be given for a secret' },
    ],
    [
      'of a public client',
      () => client({ tokenEndpointAuthMethod: 'none' }),
      { message: 'client has no secret: its method is none' },
    ],
  ])('%s', async (_what, serviceOf, error) => {
    const id = await serviceOf();
    await expect(secrets.add(id)).rejects.toMatchObject(error);
    await expect(secrets.replaceAll(id, ['x'])).rejects.toMatchObject(error);
    expect(await secrets.list(id)).toEqual([]);
    expect(await secrets.remove(id, '1')).toBe(false);
  });

  test('of a client that has ten', async () => {
    const id = await client();
    for (let n = 0; n < 10; n++) await secrets.add(id);
    await expect(secrets.add(id)).rejects.toMatchObject({
      message: 'client has 10 secrets already: remove one',
    });
    expect(await secrets.list(id)).toHaveLength(10);
  });
});

describe('a random secret', () => {
  test('matches for its client alone, and nothing of it is stored or listed', async () => {
    const [id, other] = [await client(), await client()];
    const { secret, ...added } = await secrets.add(id);
    expect(secret).toMatch(/^[A-Za-z0-9]{43}$/);
    expect(await secrets.list(id)).toEqual([added]);
    const [row] = await database.dataSource.query('select hash from client_secret');
    expect(row.hash).toMatch(/^sha256:[0-9a-f]{64}$/);
    const matching = [isSecret(id, secret), isSecret(other, secret), isSecret(id, `${secret}x`)];
    expect(await Promise.all(matching)).toEqual([true, false, false]);
    expect(await isSecret(id, row.hash)).toBe(false);
  });

  test('stays valid beside a new one, until it is removed', async () => {
    const id = await client();
    const [first, second] = [await secrets.add(id), await secrets.add(id)];
    expect(await isSecret(id, first.secret)).toBe(true);
    expect(await secrets.remove(await client(), first.id)).toBe(false);
    expect(await secrets.remove(id, first.id)).toBe(true);
    expect(await secrets.remove(id, first.id)).toBe(false);
    expect(await isSecret(id, first.secret)).toBe(false);
    expect(await isSecret(id, second.secret)).toBe(true);
  });

  test('ends when a new one says so, and not later than it would have', async () => {
    const id = await client();
    const first = await secrets.add(id);
    const second = await secrets.add(id, { othersEndAfter: 3_600 });
    const third = await secrets.add(id, { othersEndAfter: 7_200 });
    const ends = (await secrets.list(id)).map(({ createdAt, expiresAt }) =>
      expiresAt === null
        ? null
        : Math.round((expiresAt.getTime() - createdAt.getTime()) / 3_600_000),
    );
    expect(ends).toEqual([1, 2, null]);
    expect(await isSecret(id, first.secret)).toBe(true);
    const fourth = await secrets.add(id, { othersEndAfter: 0 });
    const valid = [first, second, third, fourth].map(({ secret }) => isSecret(id, secret));
    expect(await Promise.all(valid)).toEqual([false, false, false, true]);
    expect(await secrets.list(id)).toHaveLength(1);
  });

  test('is gone with its client', async () => {
    const id = await client();
    await secrets.add(id);
    await store.remove(id);
    expect(await database.dataSource.query('select from client_secret')).toEqual([]);
  });
});

describe('imported secrets', () => {
  test('match by their hashes, and take the place of all others', async () => {
    const id = await client();
    const { secret } = await secrets.add(id);
    const hash = await hashing.hash('s\u00e9same');
    await secrets.replaceAll(id, [hash]);
    const valid = ['s\u00e9same', 'sesame', secret, hash].map((each) => isSecret(id, each));
    expect(await Promise.all(valid)).toEqual([true, false, false, false]);
  });

  test('match no more once they have ended', async () => {
    const id = await client();
    await secrets.replaceAll(id, [await hashing.hash('x')]);
    await secrets.add(id, { othersEndAfter: 0 });
    expect(await isSecret(id, 'x')).toBe(false);
  });
});

test('a check costs one query', async () => {
  const id = await client();
  const { secret } = await secrets.add(id);
  const statements: string[] = [];
  const counting = new ClientSecrets({
    query: (sql: string, parameters: readonly unknown[]) => {
      statements.push(sql);
      return database.dataSource.query(sql, [...parameters]);
    },
  } as typeof database.dataSource.manager);
  expect(await counting.matches(id, secret, () => Promise.resolve(false))).toBe(true);
  expect(statements).toHaveLength(1);
});
