// The status and the text of what is wrong with a form.
import { type Dialect, statusOf } from '../protocol/dialect.js';
import type { FormProblem, NewPasswordRequired } from './login-outcome.js';

interface ProblemAnswer {
  readonly status: number;
  /** Key of the text. */
  readonly message?: string;
  /** Until another attempt makes sense. */
  readonly seconds?: number;
}

export function problemAnswer(problem: FormProblem | undefined, dialect: Dialect): ProblemAnswer {
  switch (problem?.kind) {
    case undefined:
      return { status: 200 };
    case 'credentials-missing':
      return { status: 400, message: 'login.incomplete' };
    case 'credentials-refused':
      return { status: 401, message: 'login.refused' };
    case 'password': {
      const isExpired = problem.code === 'PASSWORD_EXPIRED';
      return {
        status: 401,
        message: isExpired ? 'login.passwordExpired' : 'login.passwordMustChange',
      };
    }
    case 'password-changed':
      return { status: 200, message: 'login.passwordChanged' };
    case 'form-expired':
      return { status: 400, message: 'login.expired' };
    case 'form-used':
      return { status: 400, message: 'login.used' };
    case 'throttled':
      return {
        status: statusOf('throttled', dialect),
        message: 'login.throttled',
        seconds: problem.retryAfter,
      };
  }
}

type PasswordProblem = Extract<NewPasswordRequired['problem'], string>;

/** What a directory says itself is never shown. */
const PASSWORD_ANSWERS: Readonly<Record<PasswordProblem, ProblemAnswer>> = {
  // The login was refused.
  PASSWORD_EXPIRED: { status: 401, message: 'newPassword.expired' },
  PASSWORD_MUST_CHANGE: { status: 401, message: 'newPassword.mustChange' },
  incomplete: { status: 400, message: 'newPassword.incomplete' },
  mismatch: { status: 400, message: 'newPassword.mismatch' },
  CREDENTIALS_REFUSED: { status: 401, message: 'newPassword.refused' },
  PASSWORD_UNCHANGED: { status: 400, message: 'newPassword.unchanged' },
  PASSWORD_TOO_SHORT: { status: 400, message: 'newPassword.tooShort' },
  PASSWORD_TOO_LONG: { status: 400, message: 'newPassword.tooLong' },
  PASSWORD_COMMON: { status: 400, message: 'newPassword.common' },
  PASSWORD_CONTAINS_NAME: { status: 400, message: 'newPassword.containsName' },
  PASSWORD_IN_HISTORY: { status: 400, message: 'newPassword.inHistory' },
  PASSWORD_TOO_WEAK: { status: 400, message: 'newPassword.tooWeak' },
  PASSWORD_TOO_YOUNG: { status: 400, message: 'newPassword.tooYoung' },
  PASSWORD_NOT_ACCEPTED: { status: 400, message: 'newPassword.notAccepted' },
  PASSWORD_CHANGE_FORBIDDEN: { status: 400, message: 'newPassword.forbidden' },
  HANDLER_FAILED: { status: 503, message: 'newPassword.undecided' },
};

export function passwordAnswer(
  problem: NewPasswordRequired['problem'],
  dialect: Dialect,
): ProblemAnswer {
  if (problem === undefined) return { status: 200 };
  return typeof problem === 'string' ? PASSWORD_ANSWERS[problem] : problemAnswer(problem, dialect);
}
