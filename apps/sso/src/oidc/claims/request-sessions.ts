// The sessions that requests to the library name. It asks for one several times in a request.
import { Injectable } from '@nestjs/common';
import { Provider } from 'oidc-provider';
import { SessionAdministration, type SessionDetails } from '@tessera/tickets';

@Injectable()
export class RequestSessions {
  /** By the context of a request. */
  private readonly known = new WeakMap<object, Map<string, Promise<SessionDetails | undefined>>>();

  constructor(private readonly sessions: SessionAdministration) {}

  /** Read once in a request. @param handle any text */
  find(handle: string): Promise<SessionDetails | undefined> {
    const { ctx } = Provider;
    if (ctx === undefined) return this.sessions.find(handle);
    const known = this.known.get(ctx) ?? new Map<string, Promise<SessionDetails | undefined>>();
    this.known.set(ctx, known);
    const found = known.get(handle) ?? this.sessions.find(handle);
    known.set(handle, found);
    return found;
  }
}
