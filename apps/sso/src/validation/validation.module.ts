import { Module } from '@nestjs/common';
import { CoreModule } from '../core.module.js';
import { ProxyModule } from '../proxy/proxy.module.js';
import { ValidationFailures } from './failures.js';
import { SamlController } from './saml/saml.controller.js';
import { SamlValidator } from './saml/saml-validator.js';
import { validationController } from './validation.controller.js';
import { ENDPOINTS } from './validation-request.js';
import { Validator } from './validator.js';

@Module({
  imports: [CoreModule, ProxyModule],
  controllers: [
    ...Object.entries(ENDPOINTS).map(([path, endpoint]) => validationController(path, endpoint)),
    SamlController,
  ],
  providers: [Validator, SamlValidator, ValidationFailures],
})
export class ValidationModule {}
