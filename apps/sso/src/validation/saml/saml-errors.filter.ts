import { Catch } from '@nestjs/common';
import { Answer, AnswerFilter } from '@tessera/server';
import { ValidationFailures } from '../failures.js';
import type { SamlMessage } from './saml-request.js';
import { responseHead, SAML_TYPE, samlFailure } from './saml-response.js';

/** Answers every error as a SAML response. @see SAML 1.1 core §3.4 */
@Catch()
export class SamlErrorsFilter extends AnswerFilter {
  constructor(private readonly failures: ValidationFailures) {
    super();
  }

  answerTo(error: unknown, { saml = {} }: SamlMessage): Answer {
    const failure = this.failures.of(error, saml.service, saml.parameters);
    const body = samlFailure(responseHead(saml), failure.description);
    return new Answer(failure.status, SAML_TYPE, body, failure.headers);
  }
}
