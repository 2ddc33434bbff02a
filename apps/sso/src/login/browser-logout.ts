// The logout of a browser: ends its sessions, and lets it call the applications of the front channel.
import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { type Answer, redirect } from '@tessera/server';
import { BrowserSession, type Session } from './browser-session.js';
import { originOf, Pages } from './pages.js';
import { SessionCookie } from './session-cookie.js';

@Injectable()
export class BrowserLogout {
  constructor(
    private readonly cookie: SessionCookie,
    private readonly sessions: BrowserSession,
    private readonly pages: Pages,
  ) {}

  /**
   * Ends the sessions, and their cookie.
   *
   * @param next where the browser goes on to, in ASCII: at once, or from a page that first calls applications
   */
  async end(request: Request, sessions: readonly Session[], next?: string): Promise<Answer> {
    const frames: string[] = [];
    for (const session of sessions) {
      const calls = await this.sessions.end(session);
      frames.push(...calls.filter((url) => originOf(url) !== undefined));
    }
    const page = { status: 200, view: 'signed-out', model: { next, frames }, frames } as const;
    const answer =
      next !== undefined && frames.length === 0
        ? redirect(302, next)
        : await this.pages.render(request, page);
    // Not without one: the browser may have kept it back, and its session lives on.
    return this.cookie.isIn(request) ? answer.withCookie(this.cookie.cleared()) : answer;
  }
}
