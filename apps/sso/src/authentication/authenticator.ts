// Authenticates credentials: asks the handlers in order, applies the policy for principals, counts failures and writes the
// audit line of each login.
import type { OnModuleDestroy } from '@nestjs/common';
import { loggerFor } from '@tessera/logging';
import type { Authentication } from '@tessera/tickets';
import {
  nameOf,
  type AuthenticationHandler,
  type Credential,
  type Verdict,
} from './authentication-handler.js';
import type { PrincipalPolicy } from './principal-policy.js';
import type { Entrance, LoginThrottles } from './login-throttles.js';

export type { Authentication };

const log = loggerFor('authentication');

// Whatever was sent as a user name must not fill the log.
const MAX_LOGGED_USERNAME = 255;

/** Where a credential came from and came in. */
export interface AuthenticationContext {
  readonly clientAddress: string;
  readonly entrance: Entrance;
}

/** The verdict on the credential by one handler and the policy; `principal` is who the handler accepted. */
type Attempt =
  | {
      readonly handler: string;
      readonly principal: string | undefined;
      readonly verdict: Verdict;
    }
  | {
      readonly handler: string;
      readonly error: unknown;
      /** Whether the policy failed. It would fail for the next handler too, and the caller would wait twice. */
      readonly isFinal: boolean;
    };

export class Authenticator implements OnModuleDestroy {
  /** @param handlers in the order in which they are asked */
  constructor(
    private readonly handlers: readonly AuthenticationHandler[],
    private readonly throttles: LoginThrottles,
    private readonly policy: Pick<PrincipalPolicy, 'apply' | 'close'>,
  ) {}

  /**
   * Who the credential belongs to; `undefined` where no handler accepts it. This is the only way to the handlers, so
   * whatever takes a credential is throttled.
   *
   * @throws ThrottledError before any handler is asked
   * @throws what a handler throws that cannot tell, where none accepts
   */
  async authenticate(
    credential: Credential,
    context: AuthenticationContext,
  ): Promise<Authentication | undefined> {
    const throttle = this.throttles.at(context.entrance);
    const check = (): Promise<Authentication | undefined> => this.check(credential, context);
    const subject = { address: context.clientAddress, name: nameOf(credential) };
    return throttle.guard(subject, check, (authentication) => authentication === undefined);
  }

  /**
   * The first handler that accepts decides. One that fails is passed over, as another may know the
   * user. But a refusal needs the word of every handler: if none accepts and one failed, its error is
   * thrown, so that users are not told that their password is wrong because a database is away.
   * A policy that fails ends the login at once.
   */
  private async check(
    credential: Credential,
    context: AuthenticationContext,
  ): Promise<Authentication | undefined> {
    const attempts: Attempt[] = [];
    for (const handler of this.handlers.filter((each) => each.supports(credential))) {
      const attempt = await this.ask(handler, credential);
      attempts.push(attempt);
      if ('verdict' in attempt && attempt.verdict.accepted) {
        audit('accepted', attempts, credential, context);
        return {
          principal: attempt.verdict.accepted,
          handler: handler.name,
          credentialType: credential.type,
          authenticatedAt: new Date(),
        };
      }
      if ('error' in attempt && attempt.isFinal) break;
    }
    const failed = attempts.find((attempt) => 'error' in attempt);
    audit(failed ? 'undecided' : 'refused', attempts, credential, context);
    if (failed) {
      throw failed.error;
    }
    return undefined;
  }

  /** Waits for what logins left to do, while the database is still there. */
  async onModuleDestroy(): Promise<void> {
    await this.throttles.close();
    await Promise.all(this.handlers.flatMap((handler) => handler.close?.() ?? []));
    await this.policy.close();
  }

  private async ask(handler: AuthenticationHandler, credential: Credential): Promise<Attempt> {
    const { name } = handler;
    let given: Verdict;
    try {
      given = await handler.authenticate(credential);
    } catch (error) {
      return { handler: name, error, isFinal: false };
    }
    try {
      const verdict = await this.policy.apply(given, name, nameOf(credential));
      return { handler: name, principal: given.accepted?.id, verdict };
    } catch (error) {
      return { handler: name, error, isFinal: true };
    }
  }
}

type Outcome = 'accepted' | 'refused' | 'undecided';

/** One line for each login: the handler that accepted, the principal that a handler gave, and why others refused. */
function audit(
  outcome: Outcome,
  attempts: readonly Attempt[],
  credential: Credential,
  { clientAddress }: AuthenticationContext,
): void {
  const last = attempts.at(-1);
  const isAccepted = last && 'verdict' in last && last.verdict.accepted !== undefined;
  const principal = attempts.map((each) => 'verdict' in each && each.principal).findLast(Boolean);
  log.info(
    {
      outcome,
      username: nameOf(credential).slice(0, MAX_LOGGED_USERNAME),
      credentialType: credential.type,
      clientAddress,
      ...(isAccepted && { handler: last.handler }),
      ...(principal && { principal }),
      reasons: Object.fromEntries(attempts.flatMap(reasonOf)),
    },
    `authentication ${outcome}`,
  );
}

function reasonOf(attempt: Attempt): readonly (readonly [string, string])[] {
  if ('error' in attempt) {
    return [[attempt.handler, `failed: ${messageOf(attempt.error)}`]];
  }
  const { refused } = attempt.verdict;
  return refused === undefined ? [] : [[attempt.handler, refused]];
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : 'unknown fault';
}
