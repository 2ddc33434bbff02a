import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { Announcements, connect } from '@tessera/database';
import { configureLogging } from '@tessera/logging';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/database.js';
import { until as eventually } from '../../../../test/support/until.js';
import { RegisteredServiceEntity } from './registered-service.entity.js';
import { ServiceRegistry } from './service-registry.js';
import { ServiceStore } from './service-store.js';

const NEVER = 3_600_000;
const INSERT = `insert into registered_service (service_id, name) values ('https://a/.*', 'by hand')`;
const URL_A = 'https://a/';

let database: TestDatabase;
let store: ServiceStore;
let log: { readonly level: string; readonly msg: string; readonly id?: string }[] = [];
const running: { stop(): Promise<void> }[] = [];

beforeAll(async () => {
  configureLogging({
    application: 'test',
    levels: {},
    write: (line) => log.push(JSON.parse(line)),
  });
  database = await createTestDatabase({ entities: [RegisteredServiceEntity] });
  store = ServiceStore.of(database.dataSource);
});
afterAll(() => database.drop());
beforeEach(async () => {
  log = [];
  await database.dataSource.query('delete from registered_service');
});
afterEach(async () => {
  for (const each of running.splice(0)) await each.stop();
});

async function registry(options = { pollInterval: NEVER }, from = store): Promise<ServiceRegistry> {
  const announcements = new Announcements(database.dataSource);
  const started = new ServiceRegistry(from, { ...options, announcements });
  running.push(started, announcements);
  await started.start();
  announcements.start();
  return started;
}

/** Waits for a condition. */
const until = (condition: () => unknown): Promise<true> =>
  eventually(String(condition), async () => Boolean(await condition()));

const listeners = async (): Promise<readonly number[]> => {
  const rows = await database.dataSource.query<{ pid: number }[]>(
    `select pid from pg_stat_activity
     where query = 'listen "registered_service"' and datname = current_database()`,
  );
  return rows.map(({ pid }) => pid);
};

/** Ends the connections that listen, as a restart of the database would. */
async function cutListeners(): Promise<void> {
  const cut = await listeners();
  await database.dataSource.query('select pg_terminate_backend(pid) from unnest($1::int[]) pid', [
    cut,
  ]);
}

const listening = () => until(async () => (await listeners()).length === 1);
const messages = (level: string) =>
  log.filter((line) => line.level === level).map(({ msg }) => msg);

describe('start', () => {
  test('fails where the services cannot be loaded', async () => {
    const away = await connect({
      url: database.url,
      applicationName: 'test',
      entities: [RegisteredServiceEntity],
    });
    await away.destroy();
    await expect(new ServiceRegistry(ServiceStore.of(away)).start()).rejects.toThrow();
  });

  test('loads the stored services, and an empty registry matches nothing', async () => {
    expect((await registry()).match(URL_A)).toBeUndefined();
    const { id } = await store.add({ serviceId: 'https://a/.*', name: 'a' });
    expect((await registry()).match(URL_A)).toMatchObject({ id });
  });
});

describe('a service added through a registry', () => {
  test('that cannot be stored changes nothing', async () => {
    const services = await registry();
    const callback = () => Promise.reject(new Error('no entry'));
    const failing = services.add({ serviceId: 'https://a/.*', name: 'a' }, { callback });
    await expect(failing).rejects.toThrow('no entry');
    expect(services.match(URL_A)).toBeUndefined();
  });

  test('that is a client without a pattern is found by its exact id, and matches no URL', async () => {
    const client = { redirectUris: ['https://a/cb'] };
    const { id } = await store.add({ name: 'a', clientId: 'app', client, enabled: false });
    await database.dataSource.query(
      `insert into registered_service (service_id, name, client_id, client)
       values ('', 'b', 'none', null), ('', 'c', 'invalid', '{"grantTypes": []}')`,
    );
    const services = await registry();
    const ids = ['app', 'App', 'none', 'invalid', 'constructor', ''];
    const found = ids.map((each) => services.findByClientId(each)?.id);
    expect(found).toEqual([id, undefined, undefined, undefined, undefined, undefined]);
    const urls = ['', 'null', 'app', 'https://a/cb'];
    expect(urls.flatMap((url) => services.owners(url))).toEqual([]);
  });

  test('is matched when adding it returns, without a notification', async () => {
    const registryAlone = new ServiceRegistry(store);
    const { id } = await registryAlone.add({ serviceId: 'https://a/.*', name: 'a' });
    expect(registryAlone.match(URL_A)).toMatchObject({ id });
  });
});

describe('a change reaches a running registry', () => {
  test.each<[string, () => Promise<unknown>, (registry: ServiceRegistry) => boolean]>([
    [
      'a service added by the store',
      () => store.add({ serviceId: 'https://a/.*', name: 'a' }),
      (services) => services.match(URL_A)?.name === 'a',
    ],
    [
      'a service inserted by hand',
      () => database.dataSource.query(INSERT),
      (services) => services.match(URL_A)?.name === 'by hand',
    ],
    [
      'a service changed by the store',
      async () => {
        const { id } = await store.add({ serviceId: 'https://a/.*', name: 'a' });
        await store.update(id, { name: 'b' });
      },
      (services) => services.match(URL_A)?.name === 'b',
    ],
    [
      'a service changed by hand',
      async () => {
        await database.dataSource.query(INSERT);
        await database.dataSource.query('update registered_service set enabled = false');
      },
      (services) => services.match(URL_A)?.enabled === false,
    ],
    [
      'a client added by the store',
      () => store.add({ name: 'a', clientId: 'app', client: { redirectUris: [URL_A] } }),
      (services) => services.findByClientId('app')?.client.redirectUris[0] === URL_A,
    ],
  ])('within a second, by notification: %s', async (_what, change, isVisible) => {
    const services = await registry();
    await listening();
    await change();
    await until(() => isVisible(services));
  });

  test('also when it is a removal', async () => {
    const { id } = await store.add({ serviceId: 'https://a/.*', name: 'a' });
    const services = await registry();
    await listening();
    await store.remove(id);
    await until(() => services.match(URL_A) === undefined);
  });

  test('after the listening connection was cut, and again over the new one', async () => {
    const services = await registry();
    await listening();
    await cutListeners();
    await database.dataSource.query(INSERT);
    await until(() => services.match(URL_A) !== undefined);
    await listening();
    await database.dataSource.query('delete from registered_service');
    await until(() => services.match(URL_A) === undefined);
  });

  test('by polling, where no notification comes', async () => {
    const services = await registry({ pollInterval: 20 });
    await listening();
    await database.dataSource.transaction(async (manager) => {
      await manager.query("set local session_replication_role = 'replica'");
      await manager.query(INSERT);
      await manager.query('update registered_service_version set version = version + 1');
    });
    await until(() => services.match(URL_A) !== undefined);
  });

  test('at once where a caller refreshes', async () => {
    const services = await registry();
    await store.add({ serviceId: 'https://a/.*', name: 'a' });
    await services.refresh();
    expect(services.match(URL_A)).toBeDefined();
  });

  test('however fast the changes come', async () => {
    const services = await registry();
    await listening();
    const ids = Array.from({ length: 30 }, (_, at) => `https://host${at}/`);
    await Promise.all(ids.map((serviceId) => store.add({ serviceId, name: serviceId })));
    await until(() => ids.every((url) => services.match(url)?.name === url));
  });
});

test('a reload that fails keeps the loaded services, and logs it', async () => {
  const { id } = await store.add({ serviceId: 'https://a/.*', name: 'a' });
  const own: DataSource = await connect({
    url: database.url,
    applicationName: 'test',
    entities: [RegisteredServiceEntity],
  });
  const services = await registry({ pollInterval: NEVER }, ServiceStore.of(own));
  await own.destroy();
  await services.refresh();
  expect(services.match(URL_A)).toMatchObject({ id });
  expect(messages('warn')).toContain(
    'cannot read the registered services: keeping those loaded before',
  );
});

test('an invalid row refuses or matches nothing, is logged once, and affects no other', async () => {
  await database.dataSource.query(`
    insert into registered_service (service_id, name, evaluation_order, properties) values
      ('https://a/(', 'no pattern', 1, '{}'),
      ('https://b/.*', 'no properties', 2, '[]'),
      ('https://.*', 'good', 3, '{}')`);
  const services = await registry();
  expect(services.match('https://a/(')).toMatchObject({ name: 'good', enabled: true });
  expect(services.match('https://b/')).toMatchObject({ name: 'no properties', enabled: false });
  const violations = [
    'properties must be a map',
    expect.stringMatching(/^serviceId is not an RE2/),
  ];
  expect(log.filter(({ level }) => level === 'error')).toMatchObject(
    violations.map((violation) => ({ violation })),
  );
  await store.add({ serviceId: 'https://c/', name: 'c' });
  await services.refresh();
  expect(messages('error')).toHaveLength(2);
});

test('an announcement after stop is ignored', async () => {
  let announce = (): void => {};
  const listen: Announcements['listen'] = (_, listener) => {
    announce = () => listener('announcement');
  };
  let reads = 0;
  const counted = ServiceStore.of(database.dataSource);
  counted.version = () => {
    reads += 1;
    return store.version();
  };
  const services = new ServiceRegistry(counted, { announcements: { listen } });
  await services.start();
  announce();
  expect(reads).toBe(1);
  await services.stop();
  announce();
  expect(reads).toBe(1);
});

test('stop ends the polling', async () => {
  const services = await registry({ pollInterval: 10 });
  await services.stop();
  await running.pop()?.stop();
  const witness = await registry({ pollInterval: 10 });
  await store.add({ serviceId: 'https://a/.*', name: 'a' });
  await until(() => witness.match(URL_A) !== undefined);
  expect(services.match(URL_A)).toBeUndefined();
});
