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
