// Turns ticket errors and throttled logins into answers of the REST interface.
import { Inject, Catch } from '@nestjs/common';
import { AdmissionError, type Answer, AnswerFilter, text } from '@tessera/server';
import { ThrottledError } from '@tessera/throttling';
import { TicketError } from '@tessera/tickets';
import { PasswordError, type PasswordErrorCode } from '../authentication/password-error.js';
import { statusOf } from '../protocol/dialect.js';
import { refusedLogin } from './refused-login.js';
import { ssoConfig } from '../settings/namespaces.js';
import type { SsoSettings } from '../settings/sso-settings.js';

type RestError = TicketError | ThrottledError | AdmissionError | PasswordError;

/** The names that Apereo CAS has for them. */
const EXCEPTIONS: Readonly<Record<PasswordErrorCode, string>> = {
  PASSWORD_EXPIRED: 'CredentialExpiredException',
  PASSWORD_MUST_CHANGE: 'AccountPasswordMustChangeException',
};

/** Every other error is handled by the global filter. @see docs/errors.md */
@Catch(TicketError, ThrottledError, AdmissionError, PasswordError)
export class RestErrorsFilter extends AnswerFilter<RestError> {
  constructor(@Inject(ssoConfig.KEY) private readonly settings: SsoSettings) {
    super();
  }

  answerTo(error: RestError): Answer {
    if (error instanceof TicketError) return toRestAnswer(error);
    if (!(error instanceof PasswordError)) return this.admissionAnswer(error);
    return refusedLogin(this.settings.dialect, EXCEPTIONS[error.code]);
  }

  private admissionAnswer(error: ThrottledError | AdmissionError): Answer {
    const status = statusOf('throttled', this.settings.dialect);
    if (error instanceof ThrottledError) {
      return text(status, error.message, { 'Retry-After': String(error.retryAfter) });
    }
    const { code, message, headers } = error;
    return text(code === 'RATE_LIMITED' ? status : error.status, message, headers);
  }
}

function toRestAnswer(error: TicketError): Answer {
  switch (error.code) {
    case 'GRANTING_TICKET_NOT_FOUND':
      return text(404, error.message);
    case 'SERVICE_NOT_AUTHORIZED':
    case 'NEW_LOGIN_REQUIRED':
      return text(403, error.message);
    case 'INVALID_TICKET':
    case 'INVALID_SERVICE':
    case 'UNAUTHORIZED_SERVICE':
      return text(400, error.message);
  }
}
