// The sessions that requests to the library name.
import { Injectable } from '@nestjs/common';
import {
  type ApplicationSignIn,
  type GrantingTicketHandle,
  type SessionDetails,
  TicketRegistry,
} from '@tessera/tickets';
import { RequestCache } from '../storage/request-cache.js';

@Injectable()
export class RequestSessions {
  private readonly cache = new RequestCache((handle) => this.registry.sessions.find(handle));

  constructor(private readonly registry: TicketRegistry) {}

  /** Read once in a request. @param handle any text */
  find(handle: string): Promise<SessionDetails | undefined> {
    return this.cache.find(handle);
  }

  /**
   * Counts as a use of the session.
   *
   * @param signIn of an application that gets a logout message when the session ends
   * @returns false where it has ended, also since {@link find}
   */
  use(handle: GrantingTicketHandle, signIn?: ApplicationSignIn): Promise<boolean> {
    return signIn === undefined
      ? this.registry.countUse(handle)
      : this.registry.recordApplication(handle, signIn);
  }
}
