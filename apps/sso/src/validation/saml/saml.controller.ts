// The route /samlValidate. @see docs/protocol.md, "SAML 1.1"
import { Controller, Post, Req, UseFilters } from '@nestjs/common';
import type { Answer } from '@tessera/server';
import { SamlErrorsFilter } from './saml-errors.filter.js';
import type { SamlMessage } from './saml-request.js';
import { SamlValidator } from './saml-validator.js';

@Controller('samlValidate')
@UseFilters(SamlErrorsFilter)
export class SamlController {
  constructor(private readonly validator: SamlValidator) {}

  @Post()
  validate(@Req() request: SamlMessage): Promise<Answer> {
    return this.validator.validate(request);
  }
}
