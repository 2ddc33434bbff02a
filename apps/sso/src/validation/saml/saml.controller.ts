// The route /samlValidate. @see docs/protocol.md, "SAML 1.1"
import type { IncomingMessage, ServerResponse } from 'node:http';
import { All, Controller, Req, Res } from '@nestjs/common';
import { RequestError, send } from '@tessera/server';
import { SamlValidator } from './saml-validator.js';

@Controller('samlValidate')
export class SamlController {
  constructor(private readonly validator: SamlValidator) {}

  @All()
  async validate(@Req() request: IncomingMessage, @Res() response: ServerResponse): Promise<void> {
    if (request.method !== 'POST') {
      throw new RequestError('METHOD_NOT_ALLOWED', 'Method not allowed', 'POST');
    }
    send(response, await this.validator.answer(request));
  }
}
