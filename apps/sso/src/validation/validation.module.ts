// The module of the validation endpoints.
import { Module, type DynamicModule } from '@nestjs/common';
import { ValidationController } from './validation.controller.js';
import { Validator } from './validator.js';

@Module({})
export class ValidationModule {
  /** @param core the module that provides tickets, services and settings */
  static forRoot(core: DynamicModule): DynamicModule {
    return {
      module: ValidationModule,
      imports: [core],
      controllers: [ValidationController],
      providers: [Validator],
    };
  }
}
