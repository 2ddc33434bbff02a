import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/database.js';
import {
  type NewService,
  SERVICE_DEFAULTS,
  type ServiceDefinition,
} from '../registered-service.js';
import { RegisteredServiceEntity } from './registered-service.entity.js';
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

describe('required attributes', () => {
  const stored = async () => {
    const rows = await database.dataSource.query<
      readonly { readonly required_attributes: unknown }[]
    >('select required_attributes from registered_service');
    return rows[0]?.required_attributes;
  };

  // A program of v0.1.0 takes a map for exact values, and disables a service with anything else.
  test.each<[string, Partial<ServiceDefinition>, unknown]>([
    ['no attributes', {}, {}],
    ['exact values', { requiredAttributes: { a: ['x', 'a\\.b'] } }, { a: ['x', 'a.b'] }],
    [
      'one attribute of several',
      { requiredAttributes: { a: ['x'] }, requireAllAttributes: false },
      { a: ['x'] },
    ],
    ['a pattern', { requiredAttributes: { a: ['x.*'] } }, [{ a: ['x.*'] }]],
    ['a value in another spelling', { requiredAttributes: { a: ['\\-'] } }, [{ a: ['\\-'] }]],
    ['a rejected value', { rejectedAttributes: { a: ['x'] } }, [{}]],
    ['an expiry', { expiresAt: '2027-06-30T16:00:00.000Z' }, [{}]],
    ['excluded attributes', { attributeRelease: { kind: 'all', excluded: ['cn'] } }, [{}]],
    ['a lifetime of tickets', { serviceTicketLifetime: 5 }, [{}]],
    ['a lifetime of proxy tickets', { proxyTicketLifetime: 5 }, [{}]],
    ['released values', { releasedValues: { a: ['x'] } }, [{}]],
    ['no attributes of the protocol', { protocolAttributes: false }, [{}]],
    [
      'a name in other letters',
      { usernameAttribute: { kind: 'principal', letterCase: 'lower' } },
      [{}],
    ],
    [
      'a rejected value beside',
      { requiredAttributes: { a: ['x'] }, rejectedAttributes: { a: ['y'] } },
      [{ a: ['x'] }],
    ],
  ])(
    'are stored so that older programs serve the service as it is meant, or not at all: %s',
    async (_what, fields, column) => {
      const { id } = await store.add({ ...valid, ...fields });
      expect(await stored()).toEqual(column);
      expect(await store.find(id)).toMatchObject({ ...SERVICE_DEFAULTS, ...valid, ...fields });
      expect(await store.update(id, fields)).toBe(false);
    },
  );

  test('that an older program has stored are exact values', async () => {
    const { id } = await store.add(valid);
    await database.dataSource.query(
      `update registered_service set required_attributes = '{"a":["x.y","(z"]}'`,
    );
    expect(await store.find(id)).toMatchObject({
      enabled: true,
      requiredAttributes: { a: ['x\\.y', '\\(z'] },
    });
  });
});
