import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { connect } from '@tessera/database';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/database.js';
import { COMPLETE_CLIENT } from '../../test/complete-client.js';
import {
  type NewService,
  SERVICE_DEFAULTS,
  type ServiceDefinition,
} from '../registered-service.js';
import { readDefinition } from '../service-definition.js';
import { RegisteredServiceEntity } from './registered-service.entity.js';
import { type AddOptions, ServiceStore } from './service-store.js';

const valid: NewService = { serviceId: 'https://a/.*', name: 'a' };
const complete: ServiceDefinition = {
  serviceId: '^https://hr\\.example\\.org/.*',
  clientId: 'hr:client+1',
  client: COMPLETE_CLIENT,
  name: 'Personalb\u00fcro \ud83d\ude00',
  description: 'two\nlines',
  evaluationOrder: -5,
  enabled: false,
  expiresAt: '2027-06-30T16:00:00.000Z',
  ssoEnabled: false,
  requiredAttributes: JSON.parse('{"memberOf":["hr","admin"],"__proto__":["x"]}'),
  requireAllAttributes: false,
  rejectedAttributes: { memberOf: ['guest.*'] },
  unauthorizedRedirectUrl: 'https://hr.example.org/refused',
  attributeRelease: { kind: 'mapped', names: { uid: ['id', 'number'] } },
  defaultAttributes: false,
  releasedValues: { id: ['4.*'] },
  protocolAttributes: false,
  usernameAttribute: { kind: 'attribute', name: 'mail', letterCase: 'lower' },
  proxyPolicy: { kind: 'pattern', pattern: 'https://hr/.*' },
  responseType: 'post',
  serviceTicketLifetime: 5,
  proxyTicketLifetime: 6,
  logoutType: 'front',
  logoutUrl: 'https://hr.example.org/logout',
  properties: { dialect: 'apereo', constructor: 'x' },
};

let database: TestDatabase;
let store: ServiceStore;

beforeAll(async () => {
  database = await createTestDatabase({ entities: [RegisteredServiceEntity] });
  store = ServiceStore.of(database.dataSource);
});
afterAll(() => database.drop());
beforeEach(() => database.dataSource.query('delete from registered_service'));

describe('violations and errors', () => {
  test('an invalid definition is not stored, and each violation is named', async () => {
    const invalid = { serviceId: '(', name: '', evaluationOrder: 0.5 };
    await expect(store.add(invalid)).rejects.toMatchObject({
      code: 'SERVICE_INVALID',
      violations: [{ field: 'name' }, { field: 'evaluationOrder' }, { field: 'serviceId' }],
    });
    expect(await store.list()).toEqual([]);
  });

  test('an invalid change changes nothing', async () => {
    const { id } = await store.add(valid);
    const change = { name: 'b', serviceId: '(' };
    await expect(store.update(id, change)).rejects.toMatchObject({ code: 'SERVICE_INVALID' });
    expect(await store.find(id)).toMatchObject(valid);
  });

  test('a service is not stored where the callback of its transaction fails', async () => {
    const callback = () => Promise.reject(new Error('no entry'));
    const failing = store.add(valid, { callback });
    await expect(failing).rejects.toThrow('no entry');
    expect(await store.list()).toEqual([]);
  });

  test.each(['0', '-1', '1.0', 'x', '', '1 or true', '99999999999999999999', '999999999999999999'])(
    'there is no service %j to find, change or remove',
    async (id) => {
      await store.add(valid);
      expect(await store.find(id)).toBeUndefined();
      await expect(store.update(id, {})).rejects.toMatchObject({ code: 'SERVICE_NOT_FOUND' });
      await expect(store.remove(id)).rejects.toMatchObject({ code: 'SERVICE_NOT_FOUND' });
      expect(await store.list()).toHaveLength(1);
    },
  );

  test('an unavailable database is never an empty registry', async () => {
    const away = await connect({
      url: database.url,
      applicationName: 'test',
      entities: [RegisteredServiceEntity],
    });
    await away.destroy();
    const closed = ServiceStore.of(away);
    await expect(closed.list()).rejects.toThrow();
    await expect(closed.find('1')).rejects.toThrow();
  });
});

describe('a service', () => {
  test('is stored with the defaults for what it leaves out', async () => {
    const added = await store.add(valid);
    expect(added).toMatchObject({ ...SERVICE_DEFAULTS, ...valid });
    expect(added.id).toMatch(/^[1-9]\d*$/);
    expect(await store.find(added.id)).toEqual(added);
  });

  test('is stored with the callback of its transaction, which sees it', async () => {
    const callback: AddOptions['callback'] = async ({ id, name }, transaction) => {
      const seen: unknown = await transaction.query(
        'update registered_service set description = $1 where id = $2 returning name',
        ['seen', id],
      );
      expect(seen).toEqual([[{ name }], 1]);
    };
    await store.add(valid, { callback });
    expect(await store.list()).toMatchObject([{ ...valid, description: 'seen' }]);
  });

  test('is stored with every field', async () => {
    const added = await store.add(complete);
    const stored = await store.find(added.id);
    expect(stored).toEqual(added);
    expect(stored).toMatchObject(complete);
    expect(Object.entries(stored?.requiredAttributes ?? {})).toContainEqual(['__proto__', ['x']]);
  });

  test('has a long pseudonym salt of its own, which no change touches', async () => {
    const [a, b] = [await store.add(valid), await store.add(valid)];
    expect(a.pseudonymSalt).toMatch(/^[0-9a-f]{64}$/);
    expect(b.pseudonymSalt).not.toBe(a.pseudonymSalt);
    expect(await store.update(a.id, { name: 'b' })).toBe(true);
    expect((await store.find(a.id))?.pseudonymSalt).toBe(a.pseudonymSalt);
  });

  test('keeps what a change does not name', async () => {
    const before = await store.add({ ...valid, evaluationOrder: 7, properties: { a: 'b' } });
    expect(await store.update(before.id, { enabled: false })).toBe(true);
    expect(await store.find(before.id)).toEqual({ ...before, enabled: false });
  });

  test('is not written by a change that changes nothing', async () => {
    const { id } = await store.add(complete);
    const version = await store.version();
    expect(await store.update(id, {})).toBe(false);
    expect(await store.update(id, { ...complete })).toBe(false);
    expect(await store.version()).toBe(version);
  });

  test('is gone when it is removed', async () => {
    const { id } = await store.add(valid);
    await store.remove(id);
    expect(await store.find(id)).toBeUndefined();
  });
});

describe('a row that another program has written', () => {
  const insert = (columns: string, values: string) =>
    database.dataSource.query(
      `insert into registered_service (service_id, name, ${columns})
       values ('https://a/.*', 'a', ${values})`,
    );

  test.each([
    ['required_attributes', `'{"a":"b"}'`, 'requiredAttributes.a'],
    ['required_attributes', `'null'`, 'requiredAttributes'],
    ['required_attributes', `'[{"a":["b"]},{}]'`, 'requiredAttributes'],
    ['required_attributes', `'[{"a":"b"}]'`, 'requiredAttributes.a'],
    ['expires_at', `'infinity'`, 'expiresAt'],
    ['released_values', `'[]'`, 'releasedValues'],
    ['service_ticket_lifetime', '0', 'serviceTicketLifetime'],
    ['proxy_ticket_lifetime', '3601', 'proxyTicketLifetime'],
    ['rejected_attributes', `'{"a":[1]}'`, 'rejectedAttributes.a'],
    ['attribute_release', `'"all"'`, 'attributeRelease.kind'],
    ['username_attribute', `'[]'`, 'usernameAttribute.kind'],
    ['logout_type', `'both'`, 'logoutType'],
    ['logout_url', `'javascript:x'`, 'logoutUrl'],
    ['unauthorized_redirect_url', `'javascript:x'`, 'unauthorizedRedirectUrl'],
    ['response_type', `'header'`, 'responseType'],
    ['properties', `'{"dialect":"x"}'`, 'properties.dialect'],
  ])('with an invalid %s counts as disabled', async (column, value, field) => {
    await insert(column, value);
    const { services } = await store.readAll();
    expect(services).toMatchObject([
      { service: { serviceId: 'https://a/.*', enabled: false }, violations: [{ field }] },
    ]);
  });

  test('keeps its pattern even where that is too long for the store', async () => {
    await insert('logout_type', `'none'`);
    await database.dataSource.query(`update registered_service set service_id = repeat('a', 3000)`);
    expect(await store.list()).toMatchObject([{ serviceId: 'a'.repeat(3_000), enabled: false }]);
  });
});

test('known services that have not changed are reused; the others are read', async () => {
  await Promise.all(['a', 'b', 'c'].map((name) => store.add({ ...valid, name })));
  const { services: known } = await store.readAll();
  await database.dataSource.query(`update registered_service set name = 'B' where name = 'b'`);
  await database.dataSource.query(`delete from registered_service where name = 'c'`);
  await store.add({ ...valid, name: 'd' });
  const { services } = await store.readAll(known);
  expect(services).toEqual(expect.arrayContaining([...(await store.readAll()).services]));
  expect(services.map(({ service }) => service.name).toSorted()).toEqual(['B', 'a', 'd']);
  const same = services.filter((each) => known.includes(each));
  expect(same.map(({ service }) => service.name)).toEqual(['a']);
});

describe('the version', () => {
  test.each([
    ['insert', `insert into registered_service (service_id, name) values ('b', 'b')`],
    ['update', `update registered_service set enabled = false`],
    ['delete', `delete from registered_service`],
    ['truncate', `truncate registered_service cascade`],
  ])('changes with an %s by hand', async (_statement, sql) => {
    await store.add(valid);
    const before = await store.version();
    await database.dataSource.query(sql);
    expect(await store.version()).not.toBe(before);
  });

  test('stays where nothing is written, and is read with the services', async () => {
    await store.add(valid);
    const before = await store.version();
    expect((await store.readAll()).version).toBe(before);
    await expect(store.add({ serviceId: '(', name: 'x' })).rejects.toThrow();
    expect(await store.version()).toBe(before);
  });
});

describe('import', () => {
  const definition = (fields: Partial<NewService> = {}) => readDefinition({ ...valid, ...fields });
  const outcomes = async (...imports: readonly [string | null, ServiceDefinition][]) => {
    const given = imports.map(([importId, each]) => ({ importId, definition: each }));
    return (await store.import(given)).map(({ outcome }) => outcome);
  };

  test('adds, then finds nothing to do, and then does not even count as a change', async () => {
    const both: [string | null, ServiceDefinition][] = [
      ['10000001', definition(complete)],
      [null, definition({ name: 'without id' })],
    ];
    expect(await outcomes(...both)).toEqual(['added', 'added']);
    const version = await store.version();
    expect(await outcomes(...both)).toEqual(['unchanged', 'unchanged']);
    expect(await store.version()).toBe(version);
  });

  test('changes the service of the same import id, and keeps its own id and salt', async () => {
    await outcomes(['7', definition()]);
    const [before] = await store.list();
    const changed = definition({ name: 'other', serviceId: 'https://other/.*' });
    expect(await outcomes(['7', changed])).toEqual(['changed']);
    expect(await store.list()).toEqual([{ ...before, ...changed }]);
  });

  test('replaces a service of the same serviceId and name without an import id', async () => {
    const { id } = await store.add({ ...valid, enabled: false });
    expect(await outcomes(['7', definition()])).toEqual(['changed']);
    expect(await store.list()).toMatchObject([{ id, enabled: true }]);
    expect(await outcomes(['8', definition()])).toEqual(['added']);
  });

  test('repairs an invalid row', async () => {
    await outcomes(['7', definition()]);
    await database.dataSource.query(`update registered_service set properties = '[]'`);
    expect(await outcomes(['7', definition()])).toEqual(['changed']);
    expect(await store.list()).toMatchObject([{ enabled: true, properties: {} }]);
  });

  test('writes nothing on a dry run', async () => {
    const given = [{ importId: '7', definition: definition() }];
    expect(await store.import(given, { dryRun: true })).toMatchObject([{ outcome: 'added' }]);
    expect(await store.list()).toEqual([]);
  });

  test('imports all or nothing', async () => {
    const invalid = { ...definition(), serviceId: '(' };
    const refusal = { code: 'SERVICE_INVALID' };
    await expect(outcomes(['1', definition()], ['2', invalid])).rejects.toMatchObject(refusal);
    await expect(outcomes(['1', definition()], ['1', definition()])).rejects.toThrow();
    expect(await store.list()).toEqual([]);
  });
});
