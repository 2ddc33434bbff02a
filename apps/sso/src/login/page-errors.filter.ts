// Answers the errors of the routes for browsers with a page.
import { type ArgumentsHost, Catch, type ExceptionFilter, Inject } from '@nestjs/common';
import type { Request, Response } from 'express';
import { errorResponseOf, send, text } from '@tessera/server';
import { isTemporary } from '../temporary-error.js';
import { Pages } from './pages.js';

@Catch()
export class PageErrorsFilter implements ExceptionFilter {
  constructor(@Inject(Pages) private readonly pages: Pages) {}

  async catch(error: unknown, host: ArgumentsHost): Promise<void> {
    const http = host.switchToHttp();
    const response = http.getResponse<Response>();
    if (response.headersSent) {
      response.destroy();
      return;
    }
    const { status, message, headers = {} } = errorResponseOf(error, isTemporary);
    const key = status >= 500 ? 'error.server' : 'error.request';
    const model = { key, detail: status < 500 ? message : '' };
    try {
      await this.pages.send(http.getRequest<Request>(), response, {
        status,
        view: 'message',
        model,
        headers,
      });
    } catch {
      // The templates themselves are faulty.
      send(response, text(status, message, headers));
    }
  }
}
