// The routes of the validation endpoints. @see docs/protocol.md, "Validation"
import type { IncomingMessage } from 'node:http';
import { All, Controller, Req } from '@nestjs/common';
import { type Answer, RequestError } from '@tessera/server';
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
  p3ServiceValidate(@Req() request: IncomingMessage): Promise<Answer> {
    return this.respond(P3_SERVICE_VALIDATE, request);
  }

  @All('p3/proxyValidate')
  p3ProxyValidate(@Req() request: IncomingMessage): Promise<Answer> {
    return this.respond(P3_PROXY_VALIDATE, request);
  }

  @All('validate')
  validate(@Req() request: IncomingMessage): Promise<Answer> {
    return this.respond(VALIDATE, request);
  }

  @All('serviceValidate')
  serviceValidate(@Req() request: IncomingMessage): Promise<Answer> {
    return this.respond(SERVICE_VALIDATE, request);
  }

  @All('proxyValidate')
  proxyValidate(@Req() request: IncomingMessage): Promise<Answer> {
    return this.respond(PROXY_VALIDATE, request);
  }

  /** HEAD is refused, because it would consume the ticket without a readable answer. */
  private respond(endpoint: Endpoint, request: IncomingMessage): Promise<Answer> {
    if (request.method !== 'GET' && request.method !== 'POST') {
      throw new RequestError('METHOD_NOT_ALLOWED', 'Method not allowed', 'GET, POST');
    }
    return this.validator.answer(endpoint, request);
  }
}
