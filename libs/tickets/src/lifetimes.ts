// Owns how long tickets live. The decisions themselves are made by the registry, on the database's clock.

/** All in milliseconds. */
export interface TicketLifetimes {
  /** From the login, however busy the session is. */
  readonly grantingTicketMax: number;
  /** Since the session was last used. */
  readonly grantingTicketIdle: number;
  readonly serviceTicket: number;
  readonly proxyTicket: number;
}

const ONE_MINUTE = 60_000;

/**
 * How old the last use of a session must be before a new one is written down: a minute, so that many service tickets
 * of one session do not queue on its row; a tenth of the idle time where that is less, so that short idle times hold.
 */
export function touchResolution(lifetimes: TicketLifetimes): number {
  return Math.min(ONE_MINUTE, Math.floor(lifetimes.grantingTicketIdle / 10));
}
