import { Module } from '@nestjs/common';
import { CoreModule } from '../core.module.js';
import { ValidationController } from './validation.controller.js';
import { Validator } from './validator.js';

@Module({
  imports: [CoreModule],
  controllers: [ValidationController],
  providers: [Validator],
})
export class ValidationModule {}
