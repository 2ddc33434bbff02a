// Serves the front page at the base path, to every caller.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { All, Controller, Inject, Req, Res } from '@nestjs/common';
import { send, type Answer } from '../answer.js';
import { RequestError } from '../request-error.js';

/** Injection token of the rendered page. */
export const FRONT_PAGE = Symbol('FRONT_PAGE');

@Controller()
export class FrontPageController {
  constructor(@Inject(FRONT_PAGE) private readonly page: Answer) {}

  @All()
  show(@Req() { method }: IncomingMessage, @Res() response: ServerResponse): void {
    if (method !== 'GET' && method !== 'HEAD') {
      throw new RequestError('METHOD_NOT_ALLOWED', 'Method not allowed', 'GET, HEAD');
    }
    send(response, this.page);
  }
}
