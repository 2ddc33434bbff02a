// Changes the passwords of users: checks the rules, counts wrong passwords as failed logins, logs and records each change.
import type { AuditEvent, AuditTrail } from '@tessera/audit';
import { loggerFor } from '@tessera/logging';
import { ThrottledError } from '@tessera/throttling';
import type {
  AuthenticationHandler,
  PasswordChangeRefusal,
  PasswordChangeVerdict,
} from './authentication-handler.js';
import type { LoginThrottles } from './login-throttles.js';
import type { PasswordRules, PasswordViolation } from './password-rules.js';
import type { PrincipalPolicy } from './principal-policy.js';

const log = loggerFor('authentication');

export interface PasswordChangeRequest {
  /** The name of the handler that has found the password right. */
  readonly handler: string;
  readonly username: string;
  readonly password: string;
  readonly newPassword: string;
  readonly clientAddress: string;
}

/** Why a password was not changed. `HANDLER_FAILED`: it is not known whether it was. */
export type PasswordChangeProblem =
  PasswordChangeRefusal | PasswordViolation | 'CREDENTIALS_REFUSED' | 'HANDLER_FAILED';

/** What a change has to pass before the handler is asked. */
export interface PasswordChecks {
  readonly rules: PasswordRules;
  readonly policy: Pick<PrincipalPolicy, 'refusalByStatus'>;
}

/** Injection token of {@link PasswordChecks}. */
export const PASSWORD_CHECKS = Symbol('PASSWORD_CHECKS');

export class PasswordChanges {
  constructor(
    private readonly handlers: readonly AuthenticationHandler[],
    private readonly throttles: LoginThrottles,
    private readonly auditTrail: Pick<AuditTrail, 'record'>,
    private readonly checks: PasswordChecks,
  ) {}

  /** Whether the handler changes passwords of its users. */
  isPossible(handler: string): boolean {
    return this.handlerNamed(handler)?.changePassword !== undefined;
  }

  /**
   * Changes a password; returns why not, or undefined where it is changed.
   *
   * @throws ThrottledError before the password is checked
   * @throws the error of the handler, where nothing was changed
   */
  async change(request: PasswordChangeRequest): Promise<PasswordChangeProblem | undefined> {
    try {
      const problem = this.checks.rules.violationOf(request) ?? (await this.guardedChange(request));
      this.record(request, problem);
      return problem;
    } catch (error) {
      if (error instanceof ThrottledError) this.record(request, error.code);
      throw error;
    }
  }

  private async guardedChange(
    request: PasswordChangeRequest,
  ): Promise<PasswordChangeProblem | undefined> {
    const subject = { address: request.clientAddress, name: request.username };
    let verdict: PasswordChangeVerdict | undefined;
    try {
      await this.throttles.forEntryPoint('login').guard(
        subject,
        async () => (verdict = await this.tryChange(request)),
        ({ outcome }) => outcome === 'credential refused',
      );
    } catch (error) {
      // Users are told what became of the password, also where the outcome cannot be counted.
      if (verdict?.outcome !== 'changed' && verdict?.outcome !== 'unknown') throw error;
    }
    return verdict && problemOf(verdict, request);
  }

  private async tryChange(request: PasswordChangeRequest): Promise<PasswordChangeVerdict> {
    const { username, password, newPassword } = request;
    const handler = this.handlerNamed(request.handler);
    if (handler?.changePassword === undefined) {
      return { outcome: 'password refused', reason: 'PASSWORD_CHANGE_FORBIDDEN' };
    }
    const reason = await this.checks.policy.refusalByStatus(username, handler.name);
    if (reason !== undefined) return { outcome: 'credential refused', reason };
    const type = 'UsernamePasswordCredential';
    const credential = { type, username, password, form: new Map() } as const;
    return handler.changePassword({ credential, newPassword });
  }

  private record(
    { handler, username: principal, clientAddress }: PasswordChangeRequest,
    reason: string | undefined,
  ): void {
    const failed: AuditEvent['outcome'] = reason === 'HANDLER_FAILED' ? 'unknown' : 'failure';
    this.auditTrail.record({
      action: 'CHANGE_PASSWORD',
      outcome: reason === undefined ? 'success' : failed,
      reason,
      principal,
      clientAddress,
      details: { handler },
    });
  }

  private handlerNamed(name: string): AuthenticationHandler | undefined {
    return this.handlers.find((each) => each.name === name);
  }
}

/** Logs the outcome of a change that was tried. */
function problemOf(
  verdict: PasswordChangeVerdict,
  { handler, username, clientAddress }: PasswordChangeRequest,
): PasswordChangeProblem | undefined {
  const fields = { username, handler, clientAddress };
  switch (verdict.outcome) {
    case 'changed':
      log.info(fields, 'password changed by its user');
      return undefined;
    case 'unknown':
      log.warn({ ...fields, error: verdict.error }, 'password change undecided');
      return 'HANDLER_FAILED';
    case 'credential refused':
      log.info({ ...fields, reason: verdict.reason }, 'password change refused');
      return 'CREDENTIALS_REFUSED';
    case 'password refused':
      log.info({ ...fields, reason: verdict.reason }, 'password change refused');
      return verdict.reason;
  }
}
