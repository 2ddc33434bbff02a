// Reads the lifetimes of tickets in a service file.
import type { HjsonValue } from './hjson.js';
import {
  type Handler,
  integerOf,
  isUnset,
  membersOf,
  policyOf,
  restricts,
} from './member-handlers.js';

/** In seconds: the settings allow no longer ones. */
const MAX_LIFETIME = 3_600;
const ISO_DURATION = /^P(?:(\d{1,6})D)?(?:T(?:(\d{1,6})H)?(?:(\d{1,6})M)?(?:(\d{1,6})S)?)?$/i;

/** Apereo CAS accepts a ticket this often. */
const numberOfUses: Handler = (value, member, draft) => {
  if (isUnset(value)) return;
  const uses = integerOf(value);
  if (uses === undefined || uses < 0n) draft.addNotUnderstood(member, 'is not a number of uses');
  else if (uses <= 1n) draft.take(member);
  else draft.addWithoutEffect(member, 'is 1 here: no ticket is accepted twice');
};

/** @param field the lifetime of the definition, in seconds */
const timeToLive =
  (field: string): Handler =>
  (value, member, draft) => {
    if (value === null || value === '') return;
    const seconds = secondsOf(value);
    if (seconds === undefined || seconds <= 0) {
      draft.addNotUnderstood(member, 'is no time in seconds, nor one such as PT10S');
    } else {
      draft.take(member, field, Math.min(seconds, MAX_LIFETIME));
    }
  };

/** The lifetime of STs or PTs. */
export function ticketLifetimes(ticket: 'Service' | 'Proxy', field: string): Handler {
  const members = membersOf({ numberOfUses, timeToLive: timeToLive(field) });
  return policyOf(`DefaultRegisteredService${ticket}TicketExpirationPolicy`, members);
}

const SESSION_LIFETIMES = {
  TicketGranting:
    'is not kept: a session that begins at this service lives as sso.tickets.tgt.* says',
  ProxyGranting: 'is not kept: a proxy-granting ticket lives as long as the session of its user',
};

/** Each service limits its own tickets alone: a longer session is named, and disables the service. */
export function sessionLifetime(ticket: keyof typeof SESSION_LIFETIMES): Handler {
  return policyOf(
    `DefaultRegisteredService${ticket}TicketExpirationPolicy`,
    membersOf({ maxTimeToLiveInSeconds: restricts(SESSION_LIFETIMES[ticket]) }),
  );
}

/** Of a number of seconds, or a duration such as `P1DT10S`. */
export function secondsOf(value: HjsonValue): number | undefined {
  const seconds = integerOf(value);
  if (seconds !== undefined) return Number(seconds);
  const parts = typeof value === 'string' ? ISO_DURATION.exec(value) : null;
  if (parts === null) return undefined;
  const [days = 0, hours = 0, minutes = 0, rest = 0] = parts
    .slice(1)
    .map((each) => Number(each ?? 0));
  return days * 86_400 + hours * 3_600 + minutes * 60 + rest;
}
