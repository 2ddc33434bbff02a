// Looks up the session of a browser.
import type { IncomingMessage } from 'node:http';
import { Inject, Injectable } from '@nestjs/common';
import { TicketGranting } from '@tessera/tickets';
import type { Session } from './login-flow.js';
import { SessionCookie } from './session-cookie.js';

@Injectable()
export class BrowserSession {
  constructor(
    @Inject(SessionCookie) private readonly cookie: SessionCookie,
    @Inject(TicketGranting) private readonly ticketGranting: TicketGranting,
  ) {}

  /** The live session that the cookie of the request names. */
  async of(request: IncomingMessage): Promise<Session | undefined> {
    const content = await this.cookie.read(request);
    const authentication = content && (await this.ticketGranting.find(content.tgt));
    return content && authentication && { ...content, authentication };
  }
}
