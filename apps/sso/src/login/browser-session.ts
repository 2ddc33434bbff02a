// The sessions of a browser and its user: looks up, starts and ends them.
import type { IncomingMessage } from 'node:http';
import { Inject, Injectable } from '@nestjs/common';
import {
  type Authentication,
  type GrantingTicketHandle,
  handleOf,
  parseTicketId,
  type SessionService,
  type SessionDetails,
  TicketGranting,
} from '@tessera/tickets';
import { LogoutProtocols } from '../logout/logout-protocols.js';
import { ticketsConfig } from '../settings/namespaces.js';
import type { TicketSettings } from '../settings/ticket-settings.js';
import { type CookieContent, SessionCookie } from './session-cookie.js';

/** Validations release it; other servers use the same name. */
const REMEMBERED_CREDENTIAL = 'RememberMeUsernamePasswordCredential';

/** A live session of the browser. */
export interface Session extends CookieContent {
  readonly authentication: Authentication;
}

/** A session that a login has started or gone on with. */
export type StartedSession = Omit<CookieContent, 'warn'>;

export function handleIn({ tgt }: Pick<Session, 'tgt'>): GrantingTicketHandle {
  const id = parseTicketId(tgt);
  if (id === undefined) throw new Error('the session has no TGT');
  return handleOf(id);
}

@Injectable()
export class BrowserSession {
  constructor(
    private readonly cookie: SessionCookie,
    private readonly ticketGranting: TicketGranting,
    private readonly protocols: LogoutProtocols,
    @Inject(ticketsConfig.KEY) private readonly settings: TicketSettings,
  ) {}

  /** The live session that the cookie of the request names. */
  async of(request: IncomingMessage): Promise<Session | undefined> {
    const content = await this.cookie.read(request);
    return content && this.find(content);
  }

  /** All live sessions that cookies of the request name, for their end. Waits until the others have ended for good. */
  async allOf(request: IncomingMessage): Promise<readonly Session[]> {
    const found: Session[] = [];
    for (const content of await this.cookie.readAll(request)) {
      const session = await this.find(content);
      if (session === undefined) await this.ticketGranting.destroy(content.tgt);
      else found.push(session);
    }
    return found;
  }

  private async find(content: CookieContent): Promise<Session | undefined> {
    const authentication = await this.ticketGranting.find(content.tgt);
    return authentication && { ...content, authentication };
  }

  /**
   * The session after a login. The previous one goes on with the new login, if it is the user's own and he does not ask to be
   * remembered; otherwise it ends.
   */
  async start(
    authentication: Authentication,
    previous: Session | undefined,
    rememberMe: boolean,
  ): Promise<StartedSession> {
    const isRemembered = rememberMe && this.settings.tgtRememberMeLifetime > 0;
    const isOwn = previous?.authentication.principal.id === authentication.principal.id;
    if (previous && isOwn && !isRemembered && (await this.renew(previous, authentication))) {
      const { tgt, expiresAt } = previous;
      return expiresAt === undefined ? { tgt } : { tgt, expiresAt };
    }
    const started = isRemembered
      ? await this.startRemembered(authentication)
      : { tgt: (await this.ticketGranting.issue(authentication, { isOfBrowser: true })).text };
    if (previous !== undefined) await this.ticketGranting.destroy(previous.tgt);
    return started;
  }

  /** @returns false where it has just ended */
  private renew({ tgt, expiresAt }: Session, authentication: Authentication): Promise<boolean> {
    const isRemembered = expiresAt !== undefined;
    return this.ticketGranting.renew(
      tgt,
      isRemembered ? remembered(authentication) : authentication,
    );
  }

  /** The session of a user who has just changed the password: all others of the user end. */
  async startAlone(
    authentication: Authentication,
    previous: Session | undefined,
    rememberMe: boolean,
  ): Promise<StartedSession> {
    const started = await this.start(authentication, undefined, rememberMe);
    if (previous !== undefined) await this.ticketGranting.destroy(previous.tgt);
    await this.ticketGranting.endOtherSessions(started.tgt);
    return started;
  }

  /** @returns the URLs by which the browser is to tell services of its end */
  async end(session: Session): Promise<readonly string[]> {
    const services = await this.servicesOf(session);
    await this.ticketGranting.destroy(session.tgt);
    const principal = session.authentication.principal.id;
    return this.protocols.frontChannelCalls({ principal, services });
  }

  /** The services that it signed in to, of those that get logout messages. */
  servicesOf({ tgt }: Session): Promise<readonly SessionService[]> {
    return this.ticketGranting.services(tgt);
  }

  /** The other live sessions of the user, the last used first. */
  othersOf({ tgt }: Session): Promise<readonly SessionDetails[]> {
    return this.ticketGranting.otherSessions(tgt);
  }

  /** @param handle of one of the others; all end without it */
  async endOthers({ tgt }: Session, handle: string | undefined): Promise<void> {
    await this.ticketGranting.endOtherSessions(tgt, handle);
  }

  private async startRemembered(authentication: Authentication): Promise<StartedSession> {
    const expiresAt = Date.now() + this.settings.tgtRememberMeLifetime;
    const options = { isRemembered: true, isOfBrowser: true };
    const { text } = await this.ticketGranting.issue(remembered(authentication), options);
    return { tgt: text, expiresAt };
  }
}

function remembered(authentication: Authentication): Authentication {
  return { ...authentication, credentialType: REMEMBERED_CREDENTIAL };
}
