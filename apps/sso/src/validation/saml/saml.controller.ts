// The route /samlValidate. @see docs/protocol.md, "SAML 1.1"
import type { IncomingMessage } from 'node:http';
import { Controller, Post, Req } from '@nestjs/common';
import type { Answer } from '@tessera/server';
import { SamlValidator } from './saml-validator.js';

@Controller('samlValidate')
export class SamlController {
  constructor(private readonly validator: SamlValidator) {}

  @Post()
  validate(@Req() request: IncomingMessage): Promise<Answer> {
    return this.validator.answer(request);
  }
}
