// Answers the errors of the routes for browsers with a page.
import { type ArgumentsHost, Catch, type ExceptionFilter } from '@nestjs/common';
import type { Request, Response } from 'express';
import { errorResponseOf } from '@tessera/server';
import { isTemporary } from '../temporary-error.js';
import { LoginErrorPages } from './error-pages.js';

@Catch()
export class PageErrorsFilter implements ExceptionFilter {
  constructor(private readonly pages: LoginErrorPages) {}

  async catch(error: unknown, host: ArgumentsHost): Promise<void> {
    const http = host.switchToHttp();
    const response = http.getResponse<Response>();
    if (response.headersSent) {
      response.destroy();
      return;
    }
    const answer = errorResponseOf(error, isTemporary);
    await this.pages.send(answer, http.getRequest<Request>(), response);
  }
}
