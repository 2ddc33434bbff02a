// The settings of tickets: lifetimes, and the suffix of their ids.
import { Matches, Max, Min } from 'class-validator';
import { duration, integer, Setting, text } from '@tessera/config';
import { MAX_SUFFIX_LENGTH, type TicketLifetimes } from '@tessera/tickets';

const SECOND = 1_000;
const HOUR = 3_600 * SECOND;
const MAX_LIFETIME = 400 * 24 * HOUR;

export class TicketSettings {
  @Setting('sso.tickets.tgt.max-lifetime', duration)
  @Min(SECOND)
  @Max(MAX_LIFETIME)
  tgtMaxLifetime = 8 * HOUR;
  @Setting('sso.tickets.tgt.idle-timeout', duration)
  @Min(SECOND)
  @Max(MAX_LIFETIME)
  tgtIdleTimeout = 2 * HOUR;
  /** Of sessions of users who want to be remembered, from the login; 0 does not offer it. */
  @Setting('sso.tickets.tgt.remember-me-lifetime', duration)
  @Min(0)
  @Max(MAX_LIFETIME)
  tgtRememberMeLifetime = 14 * 24 * HOUR;
  @Setting('sso.tickets.st.lifetime', duration)
  @Min(SECOND)
  @Max(HOUR)
  stLifetime = 10 * SECOND;
  @Setting('sso.tickets.pt.lifetime', duration)
  @Min(SECOND)
  @Max(HOUR)
  ptLifetime = 10 * SECOND;
  /** The most proxies between a user and a service. */
  @Setting('sso.tickets.pgt.max-depth', integer)
  @Min(1)
  @Max(100)
  pgtMaxDepth = 10;
  /** Names the node at the end of each ticket id. */
  @Setting('sso.tickets.suffix', text)
  @Matches(new RegExp(`^[A-Za-z0-9]{0,${MAX_SUFFIX_LENGTH}}$`), {
    message: `must be at most ${MAX_SUFFIX_LENGTH} letters and digits`,
  })
  suffix = '';
  /** How often expired tickets are removed. */
  @Setting('sso.tickets.cleaning-interval', duration)
  @Min(100)
  @Max(HOUR)
  cleaningInterval = 2 * SECOND;

  get lifetimes(): TicketLifetimes {
    return {
      grantingTicketMax: this.tgtMaxLifetime,
      grantingTicketIdle: this.tgtIdleTimeout,
      rememberedGrantingTicket: this.tgtRememberMeLifetime,
      serviceTicket: this.stLifetime,
      proxyTicket: this.ptLifetime,
    };
  }
}
