// The sessions that requests to the library name.
import { Injectable } from '@nestjs/common';
import { SessionAdministration, type SessionDetails } from '@tessera/tickets';
import { RequestCache } from '../storage/request-cache.js';

@Injectable()
export class RequestSessions {
  private readonly cache = new RequestCache((handle) => this.sessions.find(handle));

  constructor(private readonly sessions: SessionAdministration) {}

  /** Read once in a request. @param handle any text */
  find(handle: string): Promise<SessionDetails | undefined> {
    return this.cache.find(handle);
  }
}
