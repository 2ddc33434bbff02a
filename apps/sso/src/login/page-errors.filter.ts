// Answers the errors of the routes for browsers with a page.
import { Catch } from '@nestjs/common';
import type { Request } from 'express';
import { type Answer, AnswerFilter, errorResponseOf } from '@tessera/server';
import { LoginErrorPages } from './error-pages.js';

@Catch()
export class PageErrorsFilter extends AnswerFilter {
  constructor(private readonly pages: LoginErrorPages) {
    super();
  }

  answerTo(error: unknown, request: Request): Promise<Answer> {
    return this.pages.answerTo(errorResponseOf(error, request), request);
  }
}
