// The route /proxy: it grants proxy tickets against a proxy-granting ticket. @see CAS 3.0 §2.7
import { Controller, Get, Head, NotFoundException, UseFilters } from '@nestjs/common';
import { type Answer, Form, QueryForm, RequestError } from '@tessera/server';
import { ServiceTickets } from '@tessera/tickets';
import { MAX_SERVICE_LENGTH, MAX_TICKET_LENGTH } from '../protocol/protocol-parameters.js';
import { proxySuccess } from './proxy-answers.js';
import { ProxyErrorsFilter } from './proxy-errors.filter.js';

const REQUIRED = 'pgt and targetService parameters are both required';

@Controller('proxy')
export class ProxyController {
  constructor(private readonly serviceTickets: ServiceTickets) {}

  /** HEAD would grant a ticket that nobody reads. */
  @Head()
  refuseHead(): never {
    throw new NotFoundException();
  }

  @Get()
  @UseFilters(ProxyErrorsFilter)
  async grant(@QueryForm() query: Form): Promise<Answer> {
    const pgt = query.line('pgt', MAX_TICKET_LENGTH);
    const target = query.line('targetService', MAX_SERVICE_LENGTH);
    if (!pgt || !target) throw new RequestError('MALFORMED_REQUEST', REQUIRED);
    return proxySuccess((await this.serviceTickets.grantProxy(pgt, target)).text);
  }
}
