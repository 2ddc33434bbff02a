import type { ArgumentsHost, ExceptionFilter } from '@nestjs/common';
import type { Request, Response } from 'express';
import { send, type Answer } from './answer.js';

/** A filter that turns errors into answers, in the words of its protocol. */
export abstract class AnswerFilter<E = unknown> implements ExceptionFilter<E> {
  protected abstract answerTo(error: E, request: Request): Answer | Promise<Answer>;

  catch(error: E, host: ArgumentsHost): Promise<void> {
    const http = host.switchToHttp();
    return this.send(error, http.getRequest<Request>(), http.getResponse<Response>());
  }

  async send(error: E, request: Request, response: Response): Promise<void> {
    if (response.headersSent) response.destroy();
    else send(response, await this.answerTo(error, request));
  }
}
