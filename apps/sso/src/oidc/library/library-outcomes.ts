// Follows each request to the library: records what it has decided, and answers errors that are ours.
import type { EventEmitter } from 'node:events';
import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import type { errors, KoaContextWithOIDC, Provider } from 'oidc-provider';
import { loggerFor } from '@tessera/logging';
import { errorResponseOf } from '@tessera/server';
import { ClientThrottle, ThrottledClient } from '../clients/client-throttle.js';
import {
  eventOf,
  isPublic,
  type LibraryOutcome,
  participantsIn,
  provesNothing,
  refusedUriIn,
} from './event-of-request.js';
import { LibraryPages } from './library-pages.js';
import { OidcEvents } from '../oidc-events.js';
import { answerTemporarily } from './temporary-answers.js';

const log = loggerFor('oidc');

const GRANTED = ['authorization.success', 'grant.success', 'registration_create.success'];
const FAILED = [
  'authorization.error',
  'code_verification.error',
  'device_authorization.error',
  'device_resume.error',
  'grant.error',
  'introspection.error',
  'pushed_authorization_request.error',
  'registration_create.error',
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
    private readonly pages: LibraryPages,
  ) {}

  adapt(provider: Provider): void {
    const emitter = provider as EventEmitter;
    for (const name of GRANTED) {
      emitter.on(name, (ctx: object) => this.outcomes.set(ctx, 'granted'));
    }
    for (const name of FAILED) {
      emitter.on(name, (ctx: object, error: Error) => this.outcomes.set(ctx, error));
    }
    // Koa writes those without a listener to the console. Callers cause them by closing connections.
    emitter.on('error', (error: unknown) => log.debug({ error }, 'an answer was not sent'));
    provider.use((ctx, next) => this.follow(ctx as KoaContextWithOIDC, next));
  }

  private async follow(ctx: KoaContextWithOIDC, next: () => Promise<unknown>): Promise<void> {
    const outcome = await this.outcomeOf(ctx, next);
    if (outcome instanceof ThrottledClient) {
      ctx.remove('WWW-Authenticate');
      answerTemporarily(ctx, 429, outcome.error_description, outcome.retryAfter);
    } else if (outcome instanceof Error && !isPublic(outcome)) {
      await this.answerFault(ctx, outcome);
    }
    // Without a route of the library there is no context of it.
    if ((ctx.oidc as object | undefined) === undefined) return;
    if (outcome instanceof Error && isPublic(outcome)) logRefusal(ctx, outcome);
    const event = eventOf(ctx, outcome);
    if (event) this.events.record(event);
  }

  private async outcomeOf(
    ctx: KoaContextWithOIDC,
    next: () => Promise<unknown>,
  ): Promise<LibraryOutcome | undefined> {
    try {
      await next();
      const outcome = this.outcomes.get(ctx);
      return outcome instanceof Error && provesNothing(ctx, outcome)
        ? await this.throttle.count(outcome, participantsIn(ctx).client)
        : outcome;
    } catch (error) {
      return error instanceof Error ? error : new Error('not an error', { cause: error });
    }
  }

  /** An error of the server, or the database is unavailable. Its cause is logged. */
  private async answerFault(ctx: KoaContextWithOIDC, error: Error): Promise<void> {
    const { status, message, headers = {} } = errorResponseOf(error, ctx.req as Request);
    ctx.status = status;
    if (ctx.accepts('json', 'html') === 'html') {
      await this.pages.showError(ctx, { error: 'server_error' });
      ctx.set(headers);
    } else if (status === 503) {
      answerTemporarily(ctx, status, message, headers['Retry-After'] ?? 1);
    } else {
      ctx.body = { error: 'server_error', error_description: message };
    }
  }
}

/** The detail is left out where it may quote what a caller has sent. */
function logRefusal(ctx: KoaContextWithOIDC, error: errors.OIDCProviderError): void {
  const { error: reason, error_description: description, error_detail, cause } = error;
  const { route, client } = ctx.oidc;
  const fields = {
    route,
    reason,
    client: client?.clientId,
    description,
    redirectUri: refusedUriIn(ctx, error),
    ...(cause === undefined && { detail: error_detail }),
  };
  log.debug(fields, 'a client was refused');
}
