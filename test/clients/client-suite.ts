// The tests that every CAS client runs: success, refused tickets and an unavailable database, in both dialects.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { http } from '../support/http.js';
import type { CasProgram, Outcome, Validation } from './client-program.js';
import {
  serviceOf,
  type Dialect,
  type RunningService,
  startService,
  USER,
} from './running-service.js';

/** Code and description of the answer, unescaped. */
export interface Failure {
  readonly code: string;
  readonly description: string;
}

interface RefusedTicket {
  readonly service: string;
  readonly ticket: string;
  readonly failure: Failure;
}

const UNAVAILABLE: Failure = {
  code: 'INTERNAL_ERROR',
  description: 'The service is temporarily unavailable',
};

type Scenario = (running: RunningService, dialect: Dialect | undefined) => Promise<RefusedTicket>;

const usedTicket: Scenario = async (running, dialect) => {
  const service = serviceOf(dialect);
  const ticket = await running.ticketFor(service);
  const query = new URLSearchParams({ service, ticket }).toString();
  const { status } = await http('GET', running.url, `/serviceValidate?${query}`);
  if (status !== 200) throw new Error(`the ticket was refused the first time: ${status}`);
  return { service, ticket, failure: notRecognized(ticket) };
};

const otherService: Scenario = async (running, dialect) => {
  const original = serviceOf(dialect);
  const service = `${original}&c=3`;
  const ticket = await running.ticketFor(original);
  const description =
    `Ticket '${ticket}' does not match supplied service. The original service was '${original}' ` +
    `and the supplied service was '${service}'.`;
  return { service, ticket, failure: { code: 'INVALID_SERVICE', description } };
};

const garbage: Scenario = (_running, dialect) => {
  const ticket = 'ST-<garbage> & ü';
  return Promise.resolve({ service: serviceOf(dialect), ticket, failure: notRecognized(ticket) });
};

const malformed: Scenario = (_running, dialect) => {
  const failure = {
    code: 'INVALID_REQUEST',
    description: 'ticket is longer than 256 characters',
  };
  return Promise.resolve({ service: serviceOf(dialect), ticket: `ST-${'x'.repeat(300)}`, failure });
};

const REFUSED_TICKETS: readonly (readonly [title: string, Scenario])[] = [
  ['a used ticket', usedTicket],
  ['a ticket for another service', otherService],
  ['a ticket that never was', garbage],
  ['a malformed ticket', malformed],
];

function notRecognized(ticket: string): Failure {
  return { code: 'INVALID_TICKET', description: `Ticket '${ticket}' not recognized` };
}

/** Expected results of the client; they may contain asymmetric matchers. */
export interface Expected {
  readonly accepted: unknown;
  refused(status: 200 | 400 | 503, failure: Failure): unknown;
}

interface DialectCase {
  readonly title: string;
  readonly serverDialect: Dialect;
  readonly serviceDialect: Dialect | undefined;
  /** Status of a failed validation. */
  readonly status: 200 | 400;
}

const CASES: readonly DialectCase[] = [
  { title: 'documented', serverDialect: 'documented', serviceDialect: undefined, status: 400 },
  { title: 'apereo', serverDialect: 'apereo', serviceDialect: undefined, status: 200 },
  {
    title: 'documented, but apereo for the service',
    serverDialect: 'documented',
    serviceDialect: 'apereo',
    status: 200,
  },
  {
    title: 'apereo, but documented for the service',
    serverDialect: 'apereo',
    serviceDialect: 'documented',
    status: 400,
  },
];

/** @param expected by protocol */
export function testEveryDialect(
  program: () => CasProgram,
  expected: Readonly<Record<string, Expected>>,
): void {
  describe.each(CASES)('in dialect $title', ({ serverDialect, serviceDialect, status }) => {
    let running: RunningService;
    const service = serviceOf(serviceDialect);

    beforeAll(async () => {
      running = await startService(serverDialect);
    });
    afterAll(() => running?.stop());

    const validate = (given: Omit<Validation, 'server' | 'encoding'>): Promise<Outcome> =>
      program().call({ server: running.url, encoding: 'UTF-8', ...given });

    test(`the service answers a refused ticket with status ${status}`, async () => {
      const query = new URLSearchParams({ service, ticket: 'ST-garbage' }).toString();
      const reply = await http('GET', running.url, `/p3/serviceValidate?${query}`);
      expect(reply.status).toBe(status);
    });

    describe.each(Object.entries(expected))('CAS %s', (protocol, { accepted, refused }) => {
      test.each(REFUSED_TICKETS)(`refuses %s, with status ${status}`, async (_title, scenario) => {
        const { failure, ...given } = await scenario(running, serviceDialect);
        expect(await validate({ protocol, ...given })).toEqual(refused(status, failure));
      });

      test('refuses with status 503 while the database is away, and the ticket is unspent', async () => {
        const ticket = await running.ticketFor(service);
        const outcome = await running.withoutDatabase(() =>
          validate({ protocol, service, ticket }),
        );
        expect(outcome).toEqual(refused(503, UNAVAILABLE));
        expect(await validate({ protocol, service, ticket })).toEqual(accepted);
      });

      test('hands over the user and the attributes of a good ticket', async () => {
        const ticket = await running.ticketFor(service);
        expect(await validate({ protocol, service, ticket })).toEqual(accepted);
      });
    });
  });
}

/** @param protocol of CAS 3 */
export function testProxyTickets(program: () => CasProgram, protocol: string): void {
  test('gets a proxy-granting ticket, and with it a proxy ticket that another service validates', async () => {
    const running = await startService('apereo');
    try {
      const [service, target] = [serviceOf(undefined), serviceOf('apereo')];
      const ticket = await running.ticketFor(service);
      const given = { server: running.url, protocol, service, ticket, encoding: 'UTF-8', target };
      expect(await program().call(given)).toEqual({ returned: { user: USER } });
    } finally {
      await running.stop();
    }
  });
}
