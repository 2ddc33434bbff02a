// The routes of the validation endpoints. @see docs/protocol.md, "Validation"
import {
  Controller,
  Get,
  Head,
  NotFoundException,
  Post,
  Req,
  type Type,
  UseFilters,
} from '@nestjs/common';
import type { Answer } from '@tessera/server';
import { ValidationErrorsFilter } from './validation-errors.filter.js';
import type { Endpoint, ValidationMessage } from './validation-request.js';
import { Validator } from './validator.js';

/** The controller of one endpoint. */
export function validationController(path: string, endpoint: Endpoint): Type {
  @Controller(path)
  class ValidationController {
    constructor(private readonly validator: Validator) {}

    /** HEAD would consume the ticket without a readable answer. */
    @Head()
    refuseHead(): never {
      throw new NotFoundException();
    }

    @Get()
    @UseFilters(ValidationErrorsFilter)
    validateQuery(@Req() request: ValidationMessage): Promise<Answer> {
      return this.validator.validate(endpoint, request);
    }

    @Post()
    @UseFilters(ValidationErrorsFilter)
    validateForm(@Req() request: ValidationMessage): Promise<Answer> {
      return this.validator.validate(endpoint, request);
    }
  }
  return ValidationController;
}
