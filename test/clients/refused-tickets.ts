// Owns the tickets that every client must be refused with, and how each comes about.
import { http } from '../support/http.js';
import { serviceOf, type Dialect, type RunningService } from './running-service.js';

/** What the answer says, before anything is escaped. */
export interface Failure {
  readonly code: string;
  readonly description: string;
}

interface RefusedTicket {
  readonly service: string;
  readonly ticket: string;
  readonly failure: Failure;
}

export const UNAVAILABLE: Failure = {
  code: 'INTERNAL_ERROR',
  description: 'The service is temporarily unavailable',
};

type Scenario = (running: RunningService, own: Dialect | undefined) => Promise<RefusedTicket>;

const usedTicket: Scenario = async (running, own) => {
  const service = serviceOf(own);
  const ticket = await running.ticketFor(service);
  const query = new URLSearchParams({ service, ticket }).toString();
  const { status } = await http('GET', running.url, `/serviceValidate?${query}`);
  if (status !== 200) throw new Error(`the ticket was refused the first time: ${status}`);
  return { service, ticket, failure: notRecognized(ticket) };
};

const otherService: Scenario = async (running, own) => {
  const original = serviceOf(own);
  const service = `${original}&c=3`;
  const ticket = await running.ticketFor(original);
  const description =
    `Ticket '${ticket}' does not match supplied service. The original service was '${original}' ` +
    `and the supplied service was '${service}'.`;
  return { service, ticket, failure: { code: 'INVALID_SERVICE', description } };
};

const garbage: Scenario = (_running, own) => {
  const ticket = 'ST-<garbage> & ü';
  return Promise.resolve({ service: serviceOf(own), ticket, failure: notRecognized(ticket) });
};

const malformed: Scenario = (_running, own) => {
  const failure = {
    code: 'INVALID_REQUEST',
    description: 'ticket is longer than 256 characters',
  };
  return Promise.resolve({ service: serviceOf(own), ticket: `ST-${'x'.repeat(300)}`, failure });
};

export const REFUSED_TICKETS: readonly (readonly [title: string, Scenario])[] = [
  ['a used ticket', usedTicket],
  ['a ticket for another service', otherService],
  ['a ticket that never was', garbage],
  ['a malformed ticket', malformed],
];

function notRecognized(ticket: string): Failure {
  return { code: 'INVALID_TICKET', description: `Ticket '${ticket}' not recognized` };
}
