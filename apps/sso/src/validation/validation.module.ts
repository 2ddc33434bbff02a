import { Module } from '@nestjs/common';
import { CoreModule } from '../core.module.js';
import { ProxyModule } from '../proxy/proxy.module.js';
import { ValidationController } from './validation.controller.js';
import { Validator } from './validator.js';

@Module({
  imports: [CoreModule, ProxyModule],
  controllers: [ValidationController],
  providers: [Validator],
})
export class ValidationModule {}
