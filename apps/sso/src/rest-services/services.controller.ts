// The route /v1/services/add, which registers a service.
import { Body, Controller, Post, Req, UseFilters, UseGuards } from '@nestjs/common';
import { type Answer, RateLimit, text } from '@tessera/server';
import { RestErrorsFilter } from '../rest/rest-errors.filter.js';
import { type RegistrationDto, registrationPipe } from './registration.dto.js';
import { RegistrationGuard, type RegistrationRequest } from './registration.guard.js';
import { ServiceRegistration } from './service-registration.js';

/** @see docs/protocol.md, "Service registration" */
@Controller('v1/services/add')
@UseFilters(RestErrorsFilter)
export class ServicesController {
  constructor(private readonly registration: ServiceRegistration) {}

  @Post(':tgt')
  @UseGuards(RegistrationGuard)
  @RateLimit('register')
  async add(
    @Body(registrationPipe()) form: RegistrationDto,
    @Req() { registrar }: RegistrationRequest,
  ): Promise<Answer> {
    return text(200, await this.registration.register(form, registrar));
  }
}
