// The sessions of one application, in memory.
import { randomUUID } from 'node:crypto';
import type { Request, Response } from 'express';

/** A user and attributes, as the CAS client gives them: one value is a string, several are a list. */
export interface Principal {
  readonly user: string;
  readonly attributes?: Readonly<Record<string, string | readonly string[]>>;
}

/** A validated service ticket. The CAS client sets `valid` to false on single logout. */
export interface ValidatedTicket {
  readonly principal: Principal;
  readonly valid: boolean;
  /** Proxy-granting ticket, for an application that asks for one. */
  readonly pgt: string | null;
}

/** A session of an application with a CAS client. */
export interface TicketSession {
  /** Names the session in a logout request of the server. */
  readonly ticketId: string;
  ticket?: ValidatedTicket;
}

export class Sessions<Content> {
  readonly #cookie: string;
  readonly #sessions = new Map<string, Content>();

  /** @param cookie its name; browsers share cookies between the ports of a host */
  constructor(cookie: string) {
    this.#cookie = cookie;
  }

  of(request: Request): Content | undefined {
    return this.#sessions.get(this.#idIn(request));
  }

  start(response: Response, content: Content): void {
    const id = randomUUID();
    this.#sessions.set(id, content);
    response.cookie(this.#cookie, id, { httpOnly: true, sameSite: 'lax' });
  }

  end(request: Request, response: Response): void {
    this.#sessions.delete(this.#idIn(request));
    response.clearCookie(this.#cookie);
  }

  /** Changes the sessions that the server has ended; their browsers keep the cookie. */
  changeAll(change: (content: Content) => void): void {
    this.#sessions.forEach(change);
  }

  #idIn({ headers }: Request): string {
    const cookies = (headers.cookie ?? '').split('; ').map((each) => each.split('='));
    return cookies.find(([name]) => name === this.#cookie)?.[1] ?? '';
  }
}
