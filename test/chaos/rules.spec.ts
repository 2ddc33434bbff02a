// Hand-written records that each rule convicts, and their innocent neighbours.
import { describe, expect, test } from '@jest/globals';
import type { ChaosRecord, FaultWindow, Operation } from './record.js';
import { excusedMessages, violationsOf } from './rules.js';

const SERVICE = 'http://app/1';
const LIFETIME = 100_000;

/** An operation that takes 10 ms. */
function operation(
  kind: Operation['kind'],
  sent: number,
  rest: Partial<Operation> = {},
): Operation {
  const outcome = { outcome: 'ok', status: 200 } as const;
  return { kind, to: 'proxy', sent, answered: sent + 10, session: 's1', ...outcome, ...rest };
}

const login = operation('login', 0, { user: 'ann', status: 201 });
const grant = operation('grant', 100, { ticket: 't1', service: SERVICE });
const accepted = operation('validate', 200, { ticket: 't1', service: SERVICE, user: 'ann' });
const refused = { outcome: 'refused', status: 400 } as const;
const unknown = { outcome: 'unknown', status: 503 } as const;
const notFound = { outcome: 'refused', status: 404 } as const;
const logout = operation('logout', 300);
const message = { ticket: 't1', at: 400 };

function fault(from: number, healed: number, rest: Partial<FaultWindow> = {}): FaultWindow {
  const flags = { isPlanned: false, isOfStandby: false, losesRecords: false };
  return { name: 'kill a node', from, healed, recovery: 500, ...flags, ...rest };
}

function judge(operations: readonly Operation[], rest: Partial<ChaosRecord> = {}) {
  const record = { sessionLifetime: LIFETIME, messages: [message], faults: [], end: 5_000 };
  const rules = violationsOf({ ...record, operations, ...rest }).map(({ rule }) => rule);
  // Most of these records are too short for it.
  return rules.filter((rule) => rule !== 'something-succeeds');
}

describe('a record is convicted of', () => {
  test.each<[string, string, readonly Operation[], Partial<ChaosRecord>?]>([
    [
      'accepted-once',
      'a ticket that two nodes accept',
      [login, grant, accepted, { ...accepted, to: 'two' }],
    ],
    [
      'accepted-once',
      'a proxy ticket that is accepted twice',
      [
        operation('proxy-validate', 1, { ticket: 't2' }),
        operation('proxy-validate', 2, { ticket: 't2' }),
      ],
    ],
    [
      'accepted-as-granted',
      'a ticket that is accepted for another service',
      [login, grant, { ...accepted, service: 'http://app/2' }],
    ],
    [
      'accepted-as-granted',
      'a ticket that is accepted for another user',
      [login, grant, { ...accepted, user: 'bob' }],
    ],
    ['nothing-after-logout', 'a grant', [login, logout, operation('grant', 311)]],
    [
      'nothing-after-logout',
      'an accepted ticket',
      [login, grant, logout, { ...accepted, sent: 311 }],
    ],
    [
      'nothing-after-logout',
      'a session that is still there',
      [login, logout, operation('check', 311)],
    ],
    [
      'nothing-after-logout',
      'a grant after an operator has ended the session',
      [login, operation('end-session', 300), operation('grant', 311)],
    ],
    ['committed-sessions-answer', 'a lost session', [login, operation('check', 50, notFound)]],
    ['committed-sessions-answer', 'a grant without it', [login, operation('grant', 50, notFound)]],
    [
      'logout-messages-arrive',
      'a missing message',
      [login, grant, accepted, logout],
      { messages: [] },
    ],
    [
      'logout-messages-arrive',
      'a missing message after the session has expired',
      [login, grant, accepted],
      { messages: [], end: LIFETIME + 1_000 },
    ],
    [
      'granted-tickets-are-accepted',
      'a ticket that is refused at once',
      [login, grant, { ...accepted, ...refused }],
    ],
    [
      'available-without-faults',
      'a ticket during a fault of the standby',
      [operation('grant', 200, unknown)],
      { faults: [fault(100, 300, { isOfStandby: true })] },
    ],
    ['available-without-faults', 'a 503', [operation('grant', 0, unknown)]],
    [
      'available-without-faults',
      'a request without an answer',
      [{ kind: 'grant', to: 'one', sent: 0, answered: 10, outcome: 'unknown' }],
    ],
    ['available-without-faults', 'a slow answer', [operation('grant', 0, { answered: 2_001 })]],
    [
      'available-without-faults',
      'a 503 after the recovery',
      [operation('grant', 801, unknown)],
      { faults: [fault(100, 300)] },
    ],
    [
      'available-without-faults',
      'a 503 during a planned change',
      [operation('grant', 200, unknown)],
      { faults: [fault(100, 300, { isPlanned: true })] },
    ],
  ])('%s by %s', (rule, _what, operations, rest = {}) => {
    expect(judge(operations, rest)).toEqual([rule]);
  });
});

describe('a record is not convicted for', () => {
  const during = { faults: [fault(0, 5_000)] };

  test.each<[string, readonly Operation[], Partial<ChaosRecord>?]>([
    ['a whole life', [login, grant, accepted, { ...accepted, ...refused }, logout]],
    [
      'a second presentation without an answer',
      [login, grant, accepted, { ...accepted, ...unknown }],
      during,
    ],
    [
      'a grant that was sent before the answer to the logout',
      [login, logout, operation('grant', 309)],
    ],
    [
      'a grant after a logout without an answer',
      [login, { ...logout, ...unknown }, operation('grant', 400)],
      during,
    ],
    [
      'a session that is not found after its logout was sent',
      [login, { ...logout, ...unknown }, operation('check', 400, notFound)],
      during,
    ],
    ['a session that has expired', [login, operation('check', LIFETIME, notFound)]],
    [
      'a session whose login got no answer',
      [{ ...login, ...unknown }, operation('check', 50, notFound)],
      during,
    ],
    ['a missing message of a session that goes on', [login, grant, accepted], { messages: [] }],
    [
      'a 503 in the recovery of a fault',
      [operation('grant', 799, unknown)],
      { faults: [fault(100, 300)] },
    ],
    [
      'a request to a node itself during a planned change',
      [operation('grant', 200, { ...unknown, to: 'one' })],
      { faults: [fault(100, 300, { isPlanned: true })] },
    ],
    [
      'a login, or a ticket of a session that is being ended, during a fault of the standby',
      [
        login,
        operation('login', 200, unknown),
        { ...logout, sent: 150, answered: 250, ...unknown },
        operation('grant', 200, unknown),
      ],
      { faults: [fault(100, 300, { isOfStandby: true })] },
    ],
    [
      'a ticket that is refused too late, for another service, or during a fault',
      [
        login,
        grant,
        { ...accepted, ...refused, sent: 8_200, answered: 8_210 },
        { ...grant, ticket: 't2' },
        { ...accepted, ...refused, ticket: 't2', service: 'http://app/2' },
        { ...grant, ticket: 't3', sent: 4_980, answered: 4_990 },
        { ...accepted, ...refused, ticket: 't3', sent: 5_000, answered: 5_010 },
      ],
      { faults: [fault(4_900, 5_000)], end: 10_000 },
    ],
    [
      'a slow answer that a fault delayed',
      [operation('grant', 0, { answered: 9_000 })],
      { faults: [fault(100, 300)] },
    ],
  ])('%s', (_what, operations, rest = {}) => {
    expect(judge(operations, rest)).toEqual([]);
  });
});

test('a record in which nothing succeeds is convicted', () => {
  const record = { sessionLifetime: LIFETIME, operations: [], messages: [], faults: [], end: 0 };
  expect(violationsOf(record).map(({ rule }) => rule)).toEqual(['something-succeeds']);
});

test('a record that a crash of PostgreSQL may have lost is excused, and counted', () => {
  const record: ChaosRecord = {
    sessionLifetime: LIFETIME,
    operations: [login, grant, accepted, logout],
    messages: [],
    faults: [fault(1_000, 2_000, { losesRecords: true })],
    end: 5_000,
  };
  expect([violationsOf(record), excusedMessages(record)]).toEqual([[], 1]);
  const earlier = { ...record, faults: [fault(1_300, 2_000, { losesRecords: true })] };
  expect([violationsOf(earlier).length, excusedMessages(earlier)]).toEqual([1, 0]);
});
