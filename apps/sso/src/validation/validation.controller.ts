// The routes of the validation endpoints. @see docs/protocol.md, "Validation"
import type { IncomingMessage, ServerResponse } from 'node:http';
import { All, Controller, Req, Res } from '@nestjs/common';
import { RequestError, send } from '@tessera/server';
import {
  P3_PROXY_VALIDATE,
  P3_SERVICE_VALIDATE,
  PROXY_VALIDATE,
  SERVICE_VALIDATE,
  VALIDATE,
  type Endpoint,
} from './validation-request.js';
import { Validator } from './validator.js';

@Controller()
export class ValidationController {
  constructor(private readonly validator: Validator) {}

  @All('p3/serviceValidate')
  p3ServiceValidate(
    @Req() request: IncomingMessage,
    @Res() response: ServerResponse,
  ): Promise<void> {
    return this.respond(P3_SERVICE_VALIDATE, request, response);
  }

  @All('p3/proxyValidate')
  p3ProxyValidate(@Req() request: IncomingMessage, @Res() response: ServerResponse): Promise<void> {
    return this.respond(P3_PROXY_VALIDATE, request, response);
  }

  @All('validate')
  validate(@Req() request: IncomingMessage, @Res() response: ServerResponse): Promise<void> {
    return this.respond(VALIDATE, request, response);
  }

  @All('serviceValidate')
  serviceValidate(@Req() request: IncomingMessage, @Res() response: ServerResponse): Promise<void> {
    return this.respond(SERVICE_VALIDATE, request, response);
  }

  @All('proxyValidate')
  proxyValidate(@Req() request: IncomingMessage, @Res() response: ServerResponse): Promise<void> {
    return this.respond(PROXY_VALIDATE, request, response);
  }

  /** HEAD is refused, because it would consume the ticket without a readable answer. */
  private async respond(
    endpoint: Endpoint,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    if (request.method !== 'GET' && request.method !== 'POST') {
      throw new RequestError('METHOD_NOT_ALLOWED', 'Method not allowed', 'GET, POST');
    }
    send(response, await this.validator.answer(endpoint, request));
  }
}
