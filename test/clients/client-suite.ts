// Owns what every CAS client is put through, whatever its language: success, refusals and a database that
// is away, in each way a service can come to its dialect. What a client makes of it is in its spec.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { http } from '../support/http.js';
import { REFUSED_TICKETS, UNAVAILABLE, type Failure } from './refused-tickets.js';
import { serviceOf, startService, type Dialect, type RunningService } from './running-service.js';
import type { CasProgram, Outcome, Validation } from './validation.js';

/** What the client hands to its application; fields may be asymmetric matchers. */
export interface Expected {
  readonly accepted: unknown;
  refused(status: 200 | 400 | 503, failure: Failure): unknown;
}

interface DialectCase {
  readonly title: string;
  readonly serverDialect: Dialect;
  readonly serviceDialect: Dialect | undefined;
  /** Of a failed validation. */
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
