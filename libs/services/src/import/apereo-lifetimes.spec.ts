import { describe, expect, test } from '@jest/globals';
import { CAS, readFile } from '../../test/apereo-file.js';

const lifetimes = (kind: string, fields: object) => ({
  [`${kind.charAt(0).toLowerCase()}${kind.slice(1)}TicketExpirationPolicy`]: {
    '@class': `${CAS}.DefaultRegisteredService${kind}TicketExpirationPolicy`,
    ...fields,
  },
});

describe('a service is disabled, and the member named, by', () => {
  test.each<[string, object, string]>([
    ...['0', 'never', 'P1M', 'PT', '-5', true, []].map((value): [string, object, string] => [
      `a lifetime of tickets that is ${JSON.stringify(value)}`,
      lifetimes('Service', { timeToLive: value }),
      'serviceTicketExpirationPolicy.timeToLive',
    ]),
    ...[-1, 'x', true].map((value): [string, object, string] => [
      `a number of uses that is ${JSON.stringify(value)}`,
      lifetimes('Proxy', { numberOfUses: value }),
      'proxyTicketExpirationPolicy.numberOfUses',
    ]),
    ...['TicketGranting', 'ProxyGranting'].map((kind): [string, object, string] => [
      `a lifetime of sessions: ${kind}`,
      lifetimes(kind, { maxTimeToLiveInSeconds: 60 }),
      `${kind.charAt(0).toLowerCase()}${kind.slice(1)}TicketExpirationPolicy.maxTimeToLiveInSeconds`,
    ]),
  ])('%s', (_rule, fields, member) => {
    const { definition, notUnderstood, taken } = readFile(fields);
    expect(notUnderstood.map((note) => note.member)).toContain(member);
    expect(taken).not.toContain(member);
    expect(definition.enabled).toBe(false);
  });
});

test('a number of uses above one is noted, and the service works', () => {
  const fields = lifetimes('Service', { numberOfUses: 3, timeToLive: '10' });
  const { definition, withoutEffect, notUnderstood } = readFile(fields);
  expect(withoutEffect).toEqual([
    {
      member: 'serviceTicketExpirationPolicy.numberOfUses',
      reason: 'is 1 here: no ticket is accepted twice',
    },
  ]);
  expect([notUnderstood, definition.enabled]).toEqual([[], true]);
});

test.each<[object, object]>([
  [{ numberOfUses: 1, timeToLive: '10' }, { serviceTicketLifetime: 10 }],
  [{ numberOfUses: '1', timeToLive: 10 }, { serviceTicketLifetime: 10 }],
  [{ timeToLive: 'PT1M30S' }, { serviceTicketLifetime: 90 }],
  [{ timeToLive: '86400' }, { serviceTicketLifetime: 3_600 }],
  [{ numberOfUses: 0, timeToLive: '' }, { serviceTicketLifetime: null }],
])('service tickets live as their file says: %j', (fields, expected) => {
  const { definition, notUnderstood } = readFile(lifetimes('Service', fields));
  expect(notUnderstood).toEqual([]);
  expect(definition).toMatchObject({ ...expected, enabled: true });
});
