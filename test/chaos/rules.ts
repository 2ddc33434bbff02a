// What must be true of every record. Each rule is a pure function that returns violations. An operation with the outcome
// `unknown` counts for neither side.
import { faultDuring, type ChaosRecord, type Operation } from './record.js';

/** An answer that takes longer counts as unavailable. */
const SLOW_MS = 2_000;
/** Records of accepted tickets do not wait for the disk: a crash of PostgreSQL may lose those of the last second. */
const LOST_BEFORE_CRASH_MS = 1_000;
/** The database's clock decides on the end of a session, and it runs from the commit on. */
const EXPIRY_SLACK_MS = 2_000;

export interface Violation {
  readonly rule: string;
  /** In ms, on the clock of the record. */
  readonly at: number;
  readonly message: string;
}

type Rule = (record: ChaosRecord) => readonly Violation[];

const PRESENTATIONS = new Set(['validate', 'proxy-validate']);
const GRANTS = new Set(['grant', 'proxy-grant']);
const LOGINS = new Set(['login', 'form-login']);
const LOGOUTS = new Set(['logout', 'end-session']);
/** What a session that has not ended is never refused with 404. */
const USES = new Set(['check', 'grant']);
/** What never waits for a standby. */
const OF_TICKETS = new Set(['grant', 'validate', 'proxy-grant', 'proxy-validate', 'check']);
/** The shortest lifetime of a ticket, less the difference between clocks. */
const TICKET_LIFETIME_MS = 8_000;

/** A ticket is accepted at most once. */
const acceptedOnce: Rule = ({ operations }) => {
  const accepted = operations.filter(isAccepted);
  return [...groupBy(accepted, ({ ticket }) => ticket).values()]
    .filter((each) => each.length > 1)
    .map((each) => {
      const nodes = each.map(({ node, to }) => node ?? to).join(', ');
      const [{ ticket }, second] = each as [Operation, Operation];
      const message = `${ticket} was accepted ${each.length} times, by ${nodes}`;
      return { rule: 'accepted-once', at: second.answered, message };
    });
};

/** A ticket is accepted for the service that it was granted for, and the user of its session alone. */
const acceptedAsGranted: Rule = ({ operations }) => {
  const granted = by(operations.filter(isGranted), ({ ticket }) => ticket);
  const logins = by(operations.filter(isLogin), ({ session }) => session);
  return operations.filter(isAccepted).flatMap((each) => {
    const grant = granted.get(each.ticket);
    const login = logins.get(grant?.session);
    const isRight = grant?.service === each.service && login?.user === each.user;
    if (grant === undefined || isRight) return [];
    const message = `${each.ticket} of ${login?.user} for ${grant.service} was accepted for ${each.user} at ${each.service}`;
    return [{ rule: 'accepted-as-granted', at: each.answered, message }];
  });
};

/** Nothing is granted or accepted that was sent after the answer to the logout of its session. */
const nothingAfterLogout: Rule = ({ operations }) => {
  const ended = firstTimes(
    operations.filter(({ kind, outcome }) => LOGOUTS.has(kind) && outcome === 'ok'),
    ({ answered }) => answered,
  );
  return operations
    .filter(({ kind, outcome }) => outcome === 'ok' && !LOGOUTS.has(kind) && !LOGINS.has(kind))
    .filter(({ session, sent }) => sent > (ended.get(session) ?? Infinity))
    .map(({ kind, session, node, to, sent, answered }) => {
      const late = Math.round(sent - (ended.get(session) ?? 0));
      const message = `${kind} of ${session} succeeded at ${node ?? to}, sent ${late} ms after the answer to its logout`;
      return { rule: 'nothing-after-logout', at: answered, message };
    });
};

/** A session whose login was answered is there until its logout is sent, or its lifetime is over. */
const committedSessionsAnswer: Rule = ({ operations, sessionLifetime }) => {
  const logins = by(operations.filter(isLogin), ({ session }) => session);
  const logoutSent = logoutTimes(operations);
  return operations
    .filter(({ kind, status }) => USES.has(kind) && status === 404)
    .filter(({ session, answered }) => {
      const login = logins.get(session);
      const expiry = (login?.sent ?? -Infinity) + sessionLifetime - EXPIRY_SLACK_MS;
      return answered < Math.min(expiry, logoutSent.get(session) ?? Infinity);
    })
    .map(({ kind, session, node, to, answered }) => {
      const message = `${session} was not found at ${node ?? to} by ${kind}, and nothing had ended it`;
      return { rule: 'committed-sessions-answer', at: answered, message };
    });
};

/** Each accepted ticket of a session that has ended is named by a logout message. */
const logoutMessagesArrive: Rule = (record) =>
  missingMessages(record)
    .filter((each) => !mayBeLost(record, each))
    .map(({ ticket, service, answered }) => {
      const message = `${service} was not told of the end of the session of ${ticket}`;
      return { rule: 'logout-messages-arrive', at: answered, message };
    });

/** A ticket that is presented once, in time and for its service, is accepted. A proxy that sends a request twice spends it. */
const grantedTicketsAreAccepted: Rule = ({ operations, faults }) => {
  const granted = by(operations.filter(isGranted), ({ ticket }) => ticket);
  const logoutSent = logoutTimes(operations);
  const presented = operations.filter(({ kind }) => PRESENTATIONS.has(kind));
  return [...groupBy(presented, ({ ticket }) => ticket).values()].flatMap(([only, another]) => {
    const grant = granted.get(only?.ticket);
    if (only?.outcome !== 'refused' || another !== undefined || grant === undefined) return [];
    const { ticket, session, service, sent, answered, node, to } = only;
    const isInTime = sent - grant.answered < TICKET_LIFETIME_MS;
    const isOfSession = answered < (logoutSent.get(session) ?? Infinity);
    const hadFault = faultDuring(faults, { from: grant.sent, to: answered }) !== undefined;
    if (service !== grant.service || !isInTime || !isOfSession || hadFault) return [];
    const message = `${ticket} was presented once, in time, and refused by ${node ?? to}`;
    return [{ rule: 'granted-tickets-are-accepted', at: answered, message }];
  });
};

/** A record in which nothing succeeds proves nothing. */
const somethingSucceeds: Rule = ({ operations }) =>
  [isLogin, isGranted, isAccepted].every((succeeds) => operations.some(succeeds))
    ? []
    : [
        {
          rule: 'something-succeeds',
          at: 0,
          message: 'no login, no ticket or no validation succeeded',
        },
      ];

/** Outside of faults and their recovery there is no 5xx, no request without an answer, and no slow one. */
const availableWithoutFaults: Rule = ({ operations, faults }) => {
  const logoutSent = logoutTimes(operations);
  const unplanned = faults.filter(({ isPlanned }) => !isPlanned);
  return operations
    .filter(isUnavailable)
    .filter(({ kind, session, to, sent, answered }) => {
      // A node that restarts answers nothing itself.
      const excuses = to === 'proxy' ? unplanned : faults;
      // A logout that waits for a standby locks its session.
      const isFree = OF_TICKETS.has(kind) && answered < (logoutSent.get(session) ?? Infinity);
      return !faultDuring(isFree ? excuses.filter(({ isOfStandby }) => !isOfStandby) : excuses, {
        from: sent,
        to: answered,
      });
    })
    .map(({ kind, node, to, sent, answered, status }) => {
      const ms = Math.round(answered - sent);
      const message = `${kind} at ${node ?? to}: ${status ?? 'no answer'} after ${ms} ms`;
      return { rule: 'available-without-faults', at: answered, message };
    });
};

const RULES: readonly Rule[] = [
  acceptedOnce,
  acceptedAsGranted,
  nothingAfterLogout,
  committedSessionsAnswer,
  logoutMessagesArrive,
  grantedTicketsAreAccepted,
  somethingSucceeds,
  availableWithoutFaults,
];

export function violationsOf(record: ChaosRecord): readonly Violation[] {
  return RULES.flatMap((rule) => rule(record));
}

/** Answered with 5xx, slowly, or not at all. */
export function isUnavailable({ status, sent, answered }: Operation): boolean {
  return status === undefined || status >= 500 || answered - sent > SLOW_MS;
}

/** Accepted tickets whose applications have not been told of the end of the session. */
export function missingMessages(record: ChaosRecord): readonly Operation[] {
  const told = new Set(record.messages.map(({ ticket }) => ticket));
  return ticketsToTell(record).filter(({ ticket }) => !told.has(ticket ?? ''));
}

/** Those whose records a crash of PostgreSQL may have lost. */
export function excusedMessages(record: ChaosRecord): number {
  return missingMessages(record).filter((each) => mayBeLost(record, each)).length;
}

/** Accepted service tickets of sessions that have ended by the end of the record. */
function ticketsToTell({ operations, end, sessionLifetime }: ChaosRecord): readonly Operation[] {
  const logins = by(operations.filter(isLogin), ({ session }) => session);
  const loggedOut = new Set(
    operations
      .filter(({ kind, outcome }) => LOGOUTS.has(kind) && outcome === 'ok')
      .map(({ session }) => session),
  );
  return operations.filter((each) => {
    if (each.kind !== 'validate' || !isAccepted(each)) return false;
    const login = logins.get(each.session);
    const hasExpired = login !== undefined && login.answered + sessionLifetime < end;
    return loggedOut.has(each.session) || hasExpired;
  });
}

function mayBeLost({ faults }: ChaosRecord, { sent, answered }: Operation): boolean {
  return faults.some(
    ({ losesRecords, from, healed }) =>
      losesRecords && answered >= from - LOST_BEFORE_CRASH_MS && sent <= healed,
  );
}

function isAccepted({ kind, outcome }: Operation): boolean {
  return PRESENTATIONS.has(kind) && outcome === 'ok';
}

function isGranted({ kind, outcome }: Operation): boolean {
  return GRANTS.has(kind) && outcome === 'ok';
}

function isLogin({ kind, outcome }: Operation): boolean {
  return LOGINS.has(kind) && outcome === 'ok';
}

type Key = (operation: Operation) => string | undefined;

function by(operations: readonly Operation[], key: Key) {
  return new Map(operations.map((each) => [key(each), each]));
}

function groupBy(operations: readonly Operation[], key: Key) {
  return Map.groupBy(operations, key);
}

/** When the first logout of each session was sent. */
function logoutTimes(operations: readonly Operation[]): ReadonlyMap<string | undefined, number> {
  const logouts = operations.filter(({ kind }) => LOGOUTS.has(kind));
  return firstTimes(logouts, ({ sent }) => sent);
}

/** The earliest time for each session. */
function firstTimes(
  operations: readonly Operation[],
  time: (operation: Operation) => number,
): ReadonlyMap<string | undefined, number> {
  const times = new Map<string | undefined, number>();
  for (const each of operations) {
    times.set(each.session, Math.min(time(each), times.get(each.session) ?? Infinity));
  }
  return times;
}
