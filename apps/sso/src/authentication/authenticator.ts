// Authenticates credentials: tries the handlers in order, applies the principal policy, counts failures, logs and records
// each login.
import type { OnModuleDestroy } from '@nestjs/common';
import type { AuditEvent, AuditTrail } from '@tessera/audit';
import { loggerFor } from '@tessera/logging';
import { availableFirst, networkOf, rememberNetwork } from '@tessera/runtime';
import type { Principal } from '@tessera/services';
import { ThrottledError } from '@tessera/throttling';
import type { Authentication, UsedMethod } from '@tessera/tickets';
import {
  nameOf,
  type AuthenticationHandler,
  type Credential,
  type PasswordExpiry,
  type Verdict,
} from './authentication-handler.js';
import { loginOperations, publishedLogin } from './login-events.js';
import { PasswordError } from './password-error.js';
import type { PrincipalPolicy } from './principal-policy.js';
import type { EntryPoint, LoginThrottles } from './login-throttles.js';

/** A login that was accepted. */
export interface AcceptedLogin extends Authentication {
  readonly passwordExpiry?: PasswordExpiry | undefined;
}

const log = loggerFor('authentication');

// A user name of any length may be sent.
const MAX_LOGGED_USERNAME = 255;

const METHODS: Readonly<Record<Credential['type'], UsedMethod['method']>> = {
  UsernamePasswordCredential: 'password',
  X509CertificateCredential: 'certificate',
};

export interface AuthenticationContext {
  readonly clientAddress: string;
  readonly entryPoint: EntryPoint;
}

/** The result of one handler and the policy. `principal` is the id that the handler accepted. */
type Attempt =
  | {
      readonly handler: string;
      readonly principal: string | undefined;
      readonly verdict: Verdict;
    }
  | {
      readonly handler: string;
      readonly error: unknown;
      /** Whether the policy failed. It would fail for the next handler too. */
      readonly isFinal: boolean;
    };

interface CheckResult {
  readonly authentication?: AcceptedLogin;
  /** Of a handler that could not decide, where no handler accepted. */
  readonly undecided?: { readonly error: unknown };
  /** Where no handler accepted, and all could decide. */
  readonly passwordError?: PasswordError | undefined;
  /** Whether the throttle counts it. */
  readonly isFailure: boolean;
}

type LoginResult = Pick<AuditEvent, 'outcome' | 'reason' | 'principal' | 'details'>;

const UNDECIDED = { outcome: 'unknown', reason: 'HANDLER_FAILED' } as const;

export class Authenticator implements OnModuleDestroy {
  /** @param handlers in the order in which they are tried */
  constructor(
    private readonly handlers: readonly AuthenticationHandler[],
    private readonly throttles: LoginThrottles,
    private readonly policy: Pick<PrincipalPolicy, 'apply'>,
    private readonly auditTrail: Pick<AuditTrail, 'record'>,
  ) {}

  /**
   * Authenticates a credential; `undefined` where no handler accepts it. All logins pass through here, so that all of
   * them are throttled.
   *
   * @throws ThrottledError before any handler is called
   * @throws PasswordError where a handler found the password right, but expired or to be changed first
   * @throws the error of a handler that could not decide, where no handler accepts
   */
  async authenticate(
    credential: Credential,
    context: AuthenticationContext,
  ): Promise<AcceptedLogin | undefined> {
    const { entryPoint } = context;
    const operation = { entryPoint, credentialType: credential.type };
    try {
      return await loginOperations.run(operation, () =>
        publishedLogin(this.guardedCheck(credential, context), entryPoint),
      );
    } catch (error) {
      if (error instanceof ThrottledError) {
        this.record(credential, context, { outcome: 'failure', reason: error.code });
      }
      throw error;
    }
  }

  private async guardedCheck(
    credential: Credential,
    context: AuthenticationContext,
  ): Promise<AcceptedLogin | undefined> {
    const throttle = this.throttles.forEntryPoint(context.entryPoint);
    const check = (): Promise<CheckResult> => this.check(credential, context);
    const subject = { address: context.clientAddress, name: nameOf(credential) };
    const result = await throttle.guard(subject, check, ({ isFailure }) => isFailure);
    if (result.undecided) throw result.undecided.error;
    if (result.passwordError) throw result.passwordError;
    return result.authentication;
  }

  /**
   * The first handler that accepts decides. A refusal, of a wrong password too, does not end the login: the next handler may
   * have a user of the same name. If a handler throws, the next one is tried as well.
   * If none accepts and one threw, the login is undecided: an unavailable store must not look like a wrong password. It
   * counts as a failure only if another handler has the user and found the password wrong.
   * An error of the policy ends the login at once.
   */
  private async check(
    credential: Credential,
    context: AuthenticationContext,
  ): Promise<CheckResult> {
    const attempts: Attempt[] = [];
    const supporting = this.handlers.filter((each) => each.supports(credential));
    for (const handler of availableFirst(supporting)) {
      const attempt = await this.tryHandler(handler, credential);
      attempts.push(attempt);
      if ('verdict' in attempt && attempt.verdict.accepted) {
        rememberNetwork(networkOf(context.clientAddress));
        logOutcome('accepted', attempts, credential, context);
        const { id: principal } = attempt.verdict.accepted;
        const details = { handler: handler.name };
        this.record(credential, context, { outcome: 'success', principal, details });
        const authentication = loginOf(credential, handler.name, attempt.verdict);
        return { authentication, isFailure: false };
      }
      if ('error' in attempt && attempt.isFinal) break;
    }
    const failed = attempts.find((attempt) => 'error' in attempt);
    logOutcome(failed ? 'undecided' : 'refused', attempts, credential, context);
    const details = { reasons: Object.fromEntries(attempts.flatMap(reasonOf)) };
    if (failed === undefined) {
      const passwordError = passwordErrorOf(attempts);
      const reason = passwordError?.code ?? 'CREDENTIALS_REFUSED';
      this.record(credential, context, { outcome: 'failure', reason, details });
      return { isFailure: true, passwordError };
    }
    this.record(credential, context, { ...UNDECIDED, details });
    return { undecided: failed, isFailure: attempts.some(hasWrongPassword) };
  }

  private record(
    credential: Credential,
    { clientAddress, entryPoint }: AuthenticationContext,
    result: LoginResult,
  ): void {
    const { type: credentialType } = credential;
    this.auditTrail.record({
      action: 'LOGIN',
      principal: nameOf(credential),
      clientAddress,
      ...result,
      details: { entryPoint, credentialType, ...result.details },
    });
  }

  /** Finishes background work while the database is still open. */
  async onModuleDestroy(): Promise<void> {
    await this.throttles.close();
  }

  private async tryHandler(
    handler: AuthenticationHandler,
    credential: Credential,
  ): Promise<Attempt> {
    const { name } = handler;
    let handlerVerdict: Verdict;
    try {
      handlerVerdict = await handler.authenticate(credential);
    } catch (error) {
      return { handler: name, error, isFinal: false };
    }
    try {
      const verdict = await this.policy.apply(handlerVerdict, name, nameOf(credential));
      return { handler: name, principal: handlerVerdict.accepted?.id, verdict };
    } catch (error) {
      return { handler: name, error, isFinal: true };
    }
  }
}

function loginOf(
  { type }: Credential,
  handler: string,
  verdict: Extract<Verdict, { accepted: Principal }>,
): AcceptedLogin {
  const { accepted: principal, passwordChangedAt, passwordExpiry } = verdict;
  const authenticatedAt = new Date();
  const methods = [{ method: METHODS[type], at: authenticatedAt }];
  return {
    principal,
    handler,
    credentialType: type,
    authenticatedAt,
    methods,
    passwordChangedAt,
    passwordExpiry,
  };
}

type Outcome = 'accepted' | 'refused' | 'undecided';

/** Logs one line for each login: the accepting handler, the principal, and the reason of each refusal. */
function logOutcome(
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

function hasWrongPassword(attempt: Attempt): boolean {
  return 'verdict' in attempt && attempt.verdict.refused === 'wrong password';
}

function passwordErrorOf(attempts: readonly Attempt[]): PasswordError | undefined {
  return attempts
    .map((each) =>
      'verdict' in each && each.verdict.refused !== undefined
        ? PasswordError.of(each.verdict.refused, each.handler)
        : undefined,
    )
    .find((error) => error !== undefined);
}

function reasonOf(attempt: Attempt): readonly (readonly [string, string])[] {
  if ('error' in attempt) {
    return [[attempt.handler, `failed: ${messageOf(attempt.error)}`]];
  }
  const { refused } = attempt.verdict;
  return refused === undefined ? [] : [[attempt.handler, refused]];
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : 'unknown error';
}
