// Every ticket type at every endpoint: only the right pair works.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { newTicketId, parseTicketId, type TicketId } from '@tessera/tickets';
import { http, type Reply } from '../support/http.js';
import { APP, startSso, type Sso } from '../support/sso.js';
import { soap } from '../support/validation.js';

type Kind = 'TGT' | 'ST' | 'PGT' | 'PT' | 'PGTIOU' | 'LR';

describe('a ticket', () => {
  let sso: Sso;
  beforeAll(async () => {
    sso = await startSso({
      services: [
        {
          serviceId: '^https://app\\.example\\.org/.*',
          name: 'a proxy',
          evaluationOrder: 1,
          proxyPolicy: { kind: 'pattern', pattern: '^https://proxy/' },
        },
      ],
    });
  });
  afterAll(() => sso.close());

  /** A live ticket of the kind; PGTIOU and LR are never kept. */
  async function live(kind: Kind): Promise<string> {
    const tgt = await sso.login();
    if (kind === 'TGT') return tgt;
    const st = await sso.grant(tgt);
    if (kind === 'ST') return st;
    if (kind === 'PGTIOU' || kind === 'LR') return newTicketId(kind).text;
    const consumed = await sso.tickets.consume(parseTicketId(st) as TicketId);
    if (!consumed) throw new Error('no ST');
    const pgt = (await sso.tickets.createProxyGrantingTicket(consumed.grantedBy, {
      service: APP,
      callbackUrl: 'https://proxy/',
    })) as TicketId;
    if (kind === 'PGT') return pgt.text;
    const granted = await sso.tickets.grantProxyTicket(pgt, APP);
    if (granted.outcome !== 'granted') throw new Error(granted.outcome);
    return granted.id.text;
  }

  const ENDPOINTS: Readonly<Record<string, (ticket: string) => Promise<Reply>>> = {
    'POST /v1/tickets/{id}': (ticket) =>
      http('POST', sso.url, `/v1/tickets/${ticket}`, { form: { service: APP } }),
    'GET /v1/tickets/{id}': (ticket) => http('GET', sso.url, `/v1/tickets/${ticket}`),
    'GET /validate': (ticket) => http('GET', sso.url, `/validate?service=${APP}&ticket=${ticket}`),
    'HEAD /v1/tickets/{id}': (ticket) => http('HEAD', sso.url, `/v1/tickets/${ticket}`),
    'GET /proxy': (ticket) => http('GET', sso.url, `/proxy?targetService=${APP}&pgt=${ticket}`),
    'GET /serviceValidate': (ticket) =>
      http('GET', sso.url, `/serviceValidate?service=${APP}&ticket=${ticket}`),
    'GET /p3/serviceValidate': (ticket) =>
      http('GET', sso.url, `/p3/serviceValidate?service=${APP}&ticket=${ticket}`),
    'POST /samlValidate': (ticket) =>
      http('POST', sso.url, `/samlValidate?TARGET=${APP}`, { body: soap(ticket) }),
    'GET /proxyValidate': (ticket) =>
      http('GET', sso.url, `/proxyValidate?service=${APP}&ticket=${ticket}`),
    'GET /p3/proxyValidate': (ticket) =>
      http('GET', sso.url, `/p3/proxyValidate?service=${APP}&ticket=${ticket}`),
  };

  /** The kinds each endpoint takes, and how it refuses the others. */
  const RULES: readonly (readonly [
    endpoint: string,
    taken: readonly Kind[],
    refusal: number,
    text: string,
  ])[] = [
    ['POST /v1/tickets/{id}', ['TGT'], 404, 'TicketGrantingTicket could not be found'],
    ['GET /v1/tickets/{id}', ['TGT', 'PGT', 'ST', 'PT'], 404, 'Ticket could not be found'],
    ['HEAD /v1/tickets/{id}', ['TGT', 'PGT', 'ST', 'PT'], 404, ''],
    ['GET /proxy', ['PGT'], 200, 'INVALID_TICKET'],
    ['GET /validate', ['ST'], 400, 'no\n\n'],
    ['GET /serviceValidate', ['ST'], 400, 'INVALID_TICKET'],
    ['GET /p3/serviceValidate', ['ST'], 400, 'INVALID_TICKET'],
    ['POST /samlValidate', ['ST'], 400, 'not recognized'],
    ['GET /proxyValidate', ['ST', 'PT'], 400, 'INVALID_TICKET'],
    ['GET /p3/proxyValidate', ['ST', 'PT'], 400, 'INVALID_TICKET'],
  ];
  const KINDS: readonly Kind[] = ['TGT', 'ST', 'PGT', 'PT', 'PGTIOU', 'LR'];
  const PAIRS = RULES.flatMap(([endpoint, taken, refusal, text]) =>
    KINDS.map((kind) => ({ endpoint, kind, works: taken.includes(kind), refusal, text })),
  );

  test.each(PAIRS)(
    '$kind at $endpoint works: $works',
    async ({ endpoint, kind, works, refusal, text }) => {
      const ticket = await live(kind);
      const reply = await ENDPOINTS[endpoint]?.(ticket);
      if (works) {
        expect(reply?.status).toBe(200);
      } else {
        expect(reply?.status).toBe(refusal);
        expect(reply?.body).toContain(text);
      }
    },
  );

  test.each(PAIRS.filter(({ kind, works }) => !works && (kind === 'TGT' || kind === 'PGT')))(
    '$kind survives being presented at $endpoint',
    async ({ endpoint, kind }) => {
      const ticket = await live(kind);
      await ENDPOINTS[endpoint]?.(ticket);
      expect((await http('GET', sso.url, `/v1/tickets/${ticket}`)).status).toBe(200);
    },
  );

  test.each(['/validate', '/serviceValidate', '/p3/serviceValidate'])(
    'PT is spent by being presented at %s',
    async (path) => {
      const ticket = await live('PT');
      await http('GET', sso.url, `${path}?service=${APP}&ticket=${ticket}`);
      const again = await http('GET', sso.url, `/proxyValidate?service=${APP}&ticket=${ticket}`);
      expect(again.body).toContain('INVALID_TICKET');
    },
  );

  test('a PT names its proxies', async () => {
    const reply = await http(
      'GET',
      sso.url,
      `/p3/proxyValidate?service=${APP}&ticket=${await live('PT')}`,
    );
    expect(reply.body).toContain(
      '        <cas:proxies>\n            <cas:proxy>https://proxy/</cas:proxy>\n        </cas:proxies>\n',
    );
  });

  test.each(['TGT', 'PGT', 'ST', 'PT'] as const)('%s can be destroyed', async (kind) => {
    const ticket = await live(kind);
    expect((await http('DELETE', sso.url, `/v1/tickets/${ticket}`)).status).toBe(200);
    expect((await http('GET', sso.url, `/v1/tickets/${ticket}`)).status).toBe(404);
  });
});
