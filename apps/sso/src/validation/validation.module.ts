import { Module } from '@nestjs/common';
import { CoreModule } from '../core.module.js';
import { ProxyModule } from '../proxy/proxy.module.js';
import { FailureStatus } from './failure-status.js';
import { SamlController } from './saml/saml.controller.js';
import { SamlValidator } from './saml/saml-validator.js';
import { ValidationController } from './validation.controller.js';
import { Validator } from './validator.js';

@Module({
  imports: [CoreModule, ProxyModule],
  controllers: [ValidationController, SamlController],
  providers: [Validator, SamlValidator, FailureStatus],
})
export class ValidationModule {}
