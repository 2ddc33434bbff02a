// The route /v1/services/add, which registers a service.
import type { ServerResponse } from 'node:http';
import { All, Body, Controller, Post, Req, Res, UseFilters, UseGuards } from '@nestjs/common';
import { RateLimit, RequestError, send, text } from '@tessera/server';
import { RestErrorsFilter } from '../rest-errors.filter.js';
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
    @Res() response: ServerResponse,
  ): Promise<void> {
    send(response, text(200, await this.registration.register(form, registrar)));
  }

  @All(':tgt')
  other(): never {
    throw new RequestError('METHOD_NOT_ALLOWED', 'Method not allowed', 'POST');
  }
}
