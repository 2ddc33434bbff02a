import { Catch } from '@nestjs/common';
import { Answer, AnswerFilter } from '@tessera/server';
import { ValidationFailures } from './failures.js';
import { xml } from './renderers.js';
import type { ValidationMessage } from './validation-request.js';

/** Answers every error as a failure in the caller's format. @see CAS 3.0 §2.5 */
@Catch()
export class ValidationErrorsFilter extends AnswerFilter {
  constructor(private readonly failures: ValidationFailures) {
    super();
  }

  answerTo(error: unknown, { validation = { renderer: xml } }: ValidationMessage): Answer {
    const { renderer, form, parameters } = validation;
    const service = form?.onlyValue('service');
    const { status, headers, ...failure } = this.failures.of(error, service, parameters);
    return new Answer(status, renderer.type, renderer.failure(failure), headers);
  }
}
