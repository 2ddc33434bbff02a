// Clients of OpenID Connect in the table of services.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/database.js';
import { COMPLETE_CLIENT } from '../../test/complete-client.js';
import type { NewService } from '../registered-service.js';
import { readDefinition } from '../service-definition.js';
import { RegisteredServiceEntity } from './registered-service.entity.js';
import { ServiceStore } from './service-store.js';

const valid: NewService = {
  serviceId: 'https://a/.*',
  name: 'a',
  clientId: 'app',
  client: COMPLETE_CLIENT,
};

let database: TestDatabase;
let store: ServiceStore;

beforeAll(async () => {
  database = await createTestDatabase({ entities: [RegisteredServiceEntity] });
  store = ServiceStore.of(database.dataSource);
});
afterAll(() => database.drop());
beforeEach(() => database.dataSource.query('delete from registered_service'));

describe('a service', () => {
  test('may be a client that takes no part in CAS, which older programs take for an invalid service', async () => {
    const { id } = await store.add({ ...valid, serviceId: null });
    expect(await store.find(id)).toMatchObject({ serviceId: null, enabled: true });
    expect(await store.listOutlines()).toMatchObject([{ id, serviceId: null }]);
    const rows = await database.dataSource.query<readonly object[]>(
      'select service_id, client_id from registered_service',
    );
    expect(rows).toEqual([{ service_id: '', client_id: 'app' }]);
  });

  test('whose row has an invalid client is disabled', async () => {
    const { id } = await store.add({ ...valid });
    await database.dataSource.query(
      `update registered_service set client = '{"redirectUris": ["http://evil.example/"]}'`,
    );
    expect(await store.find(id)).toMatchObject({ enabled: false, client: null });
  });

  test('without a pattern cannot be written by hand, unless it is a client', async () => {
    const insert = `insert into registered_service (service_id, name) values ('', 'a')`;
    await expect(database.dataSource.query(insert)).rejects.toThrow(
      'registered_service_has_a_part',
    );
  });
});

describe('what users have allowed a client', () => {
  const [uri] = COMPLETE_CLIENT.redirectUris;
  const consents = (): Promise<readonly object[]> =>
    database.dataSource.query<readonly object[]>('select from oidc_consent');

  // Origin: a client whose redirect URI is changed to the host of an attacker.
  describe.each<[string, (id: string, change: Partial<NewService>) => Promise<unknown>]>([
    ['an update', (id, change) => store.update(id, change)],
    [
      'an import',
      (_, change) =>
        store.import([{ importId: null, definition: readDefinition({ ...valid, ...change }) }]),
    ],
  ])('by %s', (_way, write) => {
    test.each<[string, string, NewService['client'], number]>([
      ['stays', 'another path', { redirectUris: ['https://hr.example.org/new'] }, 1],
      ['stays', 'another spelling of a host', { redirectUris: ['https://HR.example.org:443/'] }, 1],
      ['stays', 'no host', { redirectUris: [], grantTypes: ['refresh_token'] }, 1],
      ['goes', 'a further host', { redirectUris: [uri!, 'https://evil.example/'] }, 0],
      ['goes', 'another port', { redirectUris: ['https://hr.example.org:8443/'] }, 0],
      ['goes', 'a loopback host', { redirectUris: ['http://127.0.0.1/callback'] }, 0],
      ['goes', 'a scheme of an application', { redirectUris: ['com.example.evil:/callback'] }, 0],
      ['goes', 'a pattern', { redirectUriPatterns: ['https://evil\\.example/.*'] }, 0],
    ])('%s with %s', async (_outcome, _change, client, left) => {
      const { id } = await store.add({ ...valid });
      await database.dataSource.query(
        `insert into oidc_consent (principal, service_id, scopes) values ('ann', $1, '{openid}')`,
        [id],
      );
      await write(id, { name: 'b', client: { ...COMPLETE_CLIENT, ...client } });
      expect(await store.find(id)).toMatchObject({ name: 'b', client: { ...client } });
      expect(await consents()).toHaveLength(left);
    });
  });

  test('goes where the service is a client again', async () => {
    const { id } = await store.add({ ...valid });
    await store.update(id, { clientId: null, client: null });
    await database.dataSource.query(
      `insert into oidc_consent (principal, service_id, scopes) values ('ann', $1, '{openid}')`,
      [id],
    );
    await store.update(id, { clientId: 'app', client: COMPLETE_CLIENT });
    expect(await consents()).toEqual([]);
  });
});

describe('an import', () => {
  test('knows a client without a pattern by its id', async () => {
    const imported = (name: string) => ({
      importId: null,
      definition: readDefinition({ ...valid, serviceId: null, name }),
    });
    const imports = [];
    for (const name of ['a', 'a', 'b']) imports.push(await store.import([imported(name)]));
    expect(imports.flat().map(({ outcome }) => outcome)).toEqual(['added', 'unchanged', 'changed']);
  });
});
