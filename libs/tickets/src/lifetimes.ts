// Lifetimes of tickets.

/** All in milliseconds. */
export interface TicketLifetimes {
  /** From the login, however often the session is used. */
  readonly grantingTicketMax: number;
  /** Since the session was last used. */
  readonly grantingTicketIdle: number;
  /** Of a remembered session, from the login, used or not. */
  readonly rememberedGrantingTicket: number;
  readonly serviceTicket: number;
  readonly proxyTicket: number;
}

const ONE_MINUTE = 60_000;

/**
 * The minimum interval, in milliseconds, between two updates of a session's last use: a minute, so that many service
 * tickets of one session do not queue on its row; a tenth of the idle time where that is less, so that short idle times
 * hold.
 */
export function touchResolution(lifetimes: TicketLifetimes): number {
  return Math.min(ONE_MINUTE, Math.floor(lifetimes.grantingTicketIdle / 10));
}
