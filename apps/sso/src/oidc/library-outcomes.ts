// Follows each request to the library: records what it has decided.
import type { EventEmitter } from 'node:events';
import { Injectable } from '@nestjs/common';
import { errors, type KoaContextWithOIDC, type Provider } from 'oidc-provider';
import { loggerFor } from '@tessera/logging';
import { ClientThrottle, ThrottledClient } from './client-throttle.js';
import { eventOf, isPublic, type LibraryOutcome, participantsIn } from './event-of-request.js';
import { OidcEvents } from './oidc-events.js';
import { answerTemporarily } from './temporary-answers.js';

const log = loggerFor('oidc');

const GRANTED = ['authorization.success', 'grant.success'];
const FAILED = [
  'authorization.error',
  'code_verification.error',
  'device_authorization.error',
  'device_resume.error',
  'grant.error',
  'introspection.error',
  'pushed_authorization_request.error',
  'revocation.error',
  'server_error',
  'userinfo.error',
];

@Injectable()
export class LibraryOutcomes {
  /** By context of a request, until that has been answered. */
  private readonly outcomes = new WeakMap<object, LibraryOutcome>();

  constructor(
    private readonly events: OidcEvents,
    private readonly throttle: ClientThrottle,
  ) {}

  adapt(provider: Provider): void {
    const emitter = provider as EventEmitter;
    for (const name of GRANTED) {
      emitter.on(name, (ctx: object) => this.outcomes.set(ctx, 'granted'));
    }
    for (const name of FAILED) {
      emitter.on(name, (ctx: object, error: Error) => this.outcomes.set(ctx, error));
    }
    provider.use((ctx, next) => this.follow(ctx as KoaContextWithOIDC, next));
  }

  private async follow(ctx: KoaContextWithOIDC, next: () => Promise<unknown>): Promise<void> {
    await next();
    // Without a route of the library there is no context of it.
    if ((ctx.oidc as object | undefined) === undefined) return;
    const outcome = await this.counted(ctx, this.outcomes.get(ctx));
    if (outcome instanceof ThrottledClient) {
      ctx.remove('WWW-Authenticate');
      answerTemporarily(ctx, 429, outcome.error_description, outcome.retryAfter);
    }
    if (outcome instanceof Error && isPublic(outcome)) logRefusal(ctx, outcome);
    const event = eventOf(ctx, outcome);
    if (event) this.events.record(event);
  }

  private async counted(
    ctx: KoaContextWithOIDC,
    outcome: LibraryOutcome | undefined,
  ): Promise<LibraryOutcome | undefined> {
    return outcome instanceof errors.InvalidClientAuth
      ? this.throttle.count(outcome, participantsIn(ctx).client)
      : outcome;
  }
}

/** The detail is left out where it may quote what a caller has sent. */
function logRefusal(
  { oidc }: KoaContextWithOIDC,
  { error: reason, error_description: description, error_detail, cause }: errors.OIDCProviderError,
): void {
  const { route, client } = oidc;
  const fields = {
    route,
    reason,
    client: client?.clientId,
    description,
    ...(cause === undefined && { detail: error_detail }),
  };
  log.debug(fields, 'a client was refused');
}
