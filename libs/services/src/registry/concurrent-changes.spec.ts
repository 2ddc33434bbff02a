// Concurrent changes of registered services.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/database.js';
import { until } from '../../../../test/support/until.js';
import type { NewService, ServiceDefinition } from '../registered-service.js';
import { readDefinition } from '../service-definition.js';
import { RegisteredServiceEntity } from './registered-service.entity.js';
import type { ServiceImport } from './service-import-plan.js';
import { ServiceStore } from './service-store.js';

const valid: NewService = { serviceId: 'https://a/.*', name: 'a' };

let database: TestDatabase;
let store: ServiceStore;

beforeAll(async () => {
  database = await createTestDatabase({ entities: [RegisteredServiceEntity] });
  store = ServiceStore.of(database.dataSource);
});
afterAll(() => database.drop());
beforeEach(() => database.dataSource.query('delete from registered_service'));

const imported = (
  importId: string | null,
  fields: Partial<ServiceDefinition> = {},
): ServiceImport => ({ importId, definition: readDefinition({ ...valid, ...fields }) });

async function waiters(count: number): Promise<void> {
  await until(`${count} wait for a lock`, async () => {
    const rows = await database.dataSource.query<readonly unknown[]>(
      `select from pg_stat_activity
       where datname = current_database() and wait_event_type = 'Lock'`,
    );
    return rows.length === count;
  });
}

test('updates of one service lose nothing', async () => {
  const { id } = await store.add(valid);
  const changes: readonly Partial<ServiceDefinition>[] = [
    { name: 'b' },
    { description: 'd' },
    { evaluationOrder: 7 },
    { ssoEnabled: false },
    { logoutUrl: 'https://a/out' },
    { properties: { dialect: 'apereo' } },
  ];
  await Promise.all(changes.map((change) => store.update(id, change)));
  expect(await store.find(id)).toMatchObject(Object.assign({}, ...changes));
});

test('two services may have one name and one pattern', async () => {
  await Promise.all([store.add(valid), store.add(valid)]);
  expect(await store.list()).toHaveLength(2);
});

describe('of two services with one client id, one is stored', () => {
  const client = { redirectUris: ['https://a/cb'] };
  const taken = { code: 'CLIENT_EXISTS', message: 'another service has this client id' };

  test('where both are added at once', async () => {
    const added = await Promise.allSettled(
      ['a', 'b', 'c'].map((name) => store.add({ name, clientId: 'app', client })),
    );
    const refused = added.filter((each) => each.status === 'rejected');
    expect(refused.map(({ reason }) => reason as unknown)).toEqual(
      [taken, taken].map((each) => expect.objectContaining(each)),
    );
    expect(await store.list()).toHaveLength(1);
  });

  test('where the other one is changed to it', async () => {
    await store.add({ name: 'a', clientId: 'app', client });
    const { id } = await store.add({ name: 'b', clientId: 'other', client });
    await expect(store.update(id, { clientId: 'app' })).rejects.toMatchObject(taken);
    expect(await store.find(id)).toMatchObject({ clientId: 'other' });
  });
});

describe('an import does not fail', () => {
  test('where other nodes import the same files: each service is added once', async () => {
    const all = await Promise.all(
      Array.from({ length: 4 }, () => store.import([imported('1'), imported(null)])),
    );
    expect(all.flat().filter(({ outcome }) => outcome === 'added')).toHaveLength(2);
    expect(await store.list()).toHaveLength(2);
  });

  // Guards against a deadlock, in which PostgreSQL ends one of the two transactions (40P01).
  test.each<[string, (id: string) => Promise<unknown>]>([
    ['updated', (id) => store.update(id, { description: 'd' })],
    ['removed', (id) => store.remove(id)],
  ])('where a service that it changes is %s meanwhile', async (_what, change) => {
    await store.import([imported('1'), imported('2')]);
    const { services } = await store.readAll();
    const second = services.find(({ importId }) => importId === '2')?.service.id ?? '';
    const both = await database.dataSource.transaction(async (blocker) => {
      await blocker.query('select from registered_service_version for update');
      const importing = store.import([imported('1', { name: 'b' }), imported('2', { name: 'b' })]);
      await waiters(1);
      const changing = change(second);
      await waiters(2);
      return [importing, changing];
    });
    const outcomes = await Promise.allSettled(both);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled']);
  });
});
