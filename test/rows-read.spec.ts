// Statements on the way of a request read a few rows for each ticket, however many there are, and whatever PostgreSQL's
// statistics say: a fresh database has none, and those of a table that was empty at night are wrong in the morning.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { AccountStore } from '@tessera/accounts';
import { sha256 } from '@tessera/crypto';
import { PostgresFailureStore } from '@tessera/throttling';
import { PostgresTicketRegistry, type TicketId } from '@tessera/tickets';
import { PropertiesStore } from '../apps/config-server/src/backends/postgres/properties-store.js';
import { createTestDatabase, type TestDatabase } from './support/database.js';
import { query } from './support/query.js';
import { type CountingSession, openCountingSession } from './support/rows-read.js';

/** Requests that share a statement. Each round uses sessions of its own. */
const BATCH = 20;
/** Rows that a round of cleaning finds. */
const EXPIRED = 100;
/** Rows and index entries for each ticket: session, ticket, marks, and what hangs on a session that ends. */
const ROWS = 12;
const FEW = 5_000;
const MANY = 20_000;
const HOUR = 3_600_000;
/** Of no reservation. */
const WINDOWS = ['epoch', 'epoch'] as const;
const SERVICE = 'https://app/';

const LIFETIMES = {
  grantingTicketMax: 8 * HOUR,
  grantingTicketIdle: 2 * HOUR,
  rememberedGrantingTicket: 14 * 24 * 3_600_000,
  serviceTicket: HOUR,
  proxyTicket: HOUR,
};

const TABLES = [
  'ticket_granting_ticket',
  'service_ticket_0',
  'service_ticket_ring',
  'session_service',
  'authentication_failure',
  'user_account',
  'properties',
];

const withoutAutovacuum = TABLES.map(
  (table) => `alter table ${table} set (autovacuum_enabled = false)`,
).join(';');

/** Adds sessions with a PGT, an ST and a PT each, and as many failures, accounts and applications. */
const fill = (from: number, to: number): string => `
  set session_replication_role = replica;
  insert into ticket_granting_ticket (id, principal, attributes, handler, credential_type,
      authenticated_at, last_used_at, expires_at, hard_expires_at)
    select sha256(('TGT-' || n)::bytea), 'ann', '{}', 'static', '', now(),
      now() - interval '10 minutes', now() + interval '2 hours', now() + interval '8 hours'
    from generate_series(${from}, ${to}) n;
  insert into ticket_granting_ticket (id, parent_id, session_id, proxies, expires_at, hard_expires_at)
    select sha256(('PGT-' || n)::bytea), sha256(('TGT-' || n)::bytea), sha256(('TGT-' || n)::bytea),
      '{https://proxy/}', 'infinity', 'infinity'
    from generate_series(${from}, ${to}) n;
  insert into service_ticket_0 (id, session_id, proxy_granting_ticket_id, service, from_new_login, expires_at)
    select sha256((kind || '-0' || n)::bytea), sha256(('TGT-' || n)::bytea),
      case kind when 'PT' then sha256(('PGT-' || n)::bytea) end, '${SERVICE}', false, now() + interval '1 hour'
    from generate_series(${from}, ${to}) n cross join (values ('ST'), ('PT')) kinds (kind);
  insert into session_service (session_id, service_hash, service, tickets)
    select sha256(('TGT-' || n)::bytea), sha256('x'), 'x', '{ST}' from generate_series(${from}, ${to}) n;
  insert into authentication_failure (key, failures, expires_at)
    select sha256(n::text::bytea), 1, now() + interval '1 hour' from generate_series(${from}, ${to}) n;
  insert into user_account (name, password_hash) select n, '' from generate_series(${from}, ${to}) n;
  insert into properties (application, profile, key, value)
    select n, 'prod', 'key', '' from generate_series(${from}, ${to}) n`;

const expire = (round: number): string => `
  insert into ticket_granting_ticket (id, principal, attributes, handler, credential_type,
      authenticated_at, expires_at, hard_expires_at)
    select sha256(('expired ${round} ' || n)::bytea), 'ann', '{}', 'static', '', now(), now(), now()
    from generate_series(1, ${EXPIRED}) n;
  insert into authentication_failure (key, failures, expires_at)
    select sha256(('expired ${round} ' || n)::bytea), 1, now() from generate_series(1, ${EXPIRED}) n`;

class Round {
  readonly tickets: PostgresTicketRegistry;
  readonly failures: PostgresFailureStore;
  readonly accounts: AccountStore;
  readonly properties: PropertiesStore;

  /** @param first of the sessions to use */
  constructor(
    readonly session: CountingSession,
    private readonly first: number,
  ) {
    this.tickets = new PostgresTicketRegistry(session.pool, { lifetimes: LIFETIMES });
    this.failures = new PostgresFailureStore(session.pool);
    this.accounts = AccountStore.of(session.dataSource);
    this.properties = new PropertiesStore(() => Promise.resolve(session.dataSource));
  }

  each(work: (n: number) => Promise<unknown>): Promise<readonly unknown[]> {
    return Promise.all(Array.from({ length: BATCH }, (_, index) => work(this.first + index)));
  }
}

const id = (kind: TicketId['kind'], n: number): TicketId =>
  kind === 'ST' || kind === 'PT' ? { kind, text: `${kind}-0${n}` } : { kind, text: `${kind}-${n}` };
type Handle = Parameters<PostgresTicketRegistry['createProxyGrantingTicket']>[0];
const handle = (kind: 'TGT' | 'PGT', n: number) => sha256(id(kind, n).text) as Handle;
const SIGN_IN = { protocol: 'oidc', application: 'wiki', sessionIndex: 'sid' } as const;
const FURTHER_LOGIN = {
  principal: { id: 'ann', attributes: {} },
  handler: 'static',
  credentialType: '',
  authenticatedAt: new Date('2099-01-01'),
  methods: [],
};
const PROXY = { service: SERVICE, callbackUrl: SERVICE };
const limitsOf = (n: number) =>
  [
    { key: sha256(String(n)), threshold: 9 },
    { key: sha256(String(n + BATCH)), threshold: 9 },
  ] as const;
const grant = (round: Round, n: number) =>
  round.tickets.grantServiceTicket({
    grantingTicket: id('TGT', n),
    service: SERVICE,
    withCredentials: false,
    newLoginOnly: false,
  });

/** In this order: what ends sessions comes last. */
const WORK: readonly (readonly [string, (round: Round) => Promise<unknown>])[] = [
  ['granting STs', (round) => round.each((n) => grant(round, n))],
  [
    'granting PTs',
    (round) => round.each((n) => round.tickets.grantProxyTicket(id('PGT', n), SERVICE)),
  ],
  [
    'creating PGTs',
    (round) => round.each((n) => round.tickets.createProxyGrantingTicket(handle('TGT', n), PROXY)),
  ],
  [
    'creating PGTs of PGTs',
    (round) => round.each((n) => round.tickets.createProxyGrantingTicket(handle('PGT', n), PROXY)),
  ],
  [
    'finding sessions',
    (round) => round.each((n) => round.tickets.findTicketGrantingTicket(id('TGT', n))),
  ],
  [
    'further logins in sessions',
    (round) =>
      round.each((n) => round.tickets.renewTicketGrantingTicket(id('TGT', n), FURTHER_LOGIN)),
  ],
  ...(['TGT', 'PGT', 'ST', 'PT'] as const).map(
    (kind) =>
      [
        `the status of ${kind}s`,
        (round: Round) => round.each((n) => round.tickets.isLive(id(kind, n))),
      ] as const,
  ),
  ['consuming STs', (round) => round.each((n) => round.tickets.consume(id('ST', n)))],
  [
    'consuming PTs, whose services are recorded',
    (round) => round.each((n) => round.tickets.consume(id('PT', n), { recordsService: true })),
  ],
  [
    'recording applications of another protocol',
    (round) => round.each((n) => round.tickets.recordApplication(handle('TGT', n), SIGN_IN)),
  ],
  [
    'finding the services of sessions',
    (round) => round.each((n) => round.tickets.sessions.services(handle('TGT', n))),
  ],
  ...(['PT', 'PGT', 'TGT'] as const).map(
    (kind) =>
      [
        `destroying ${kind}s`,
        (round: Round) => round.each((n) => round.tickets.destroy(id(kind, n))),
      ] as const,
  ),
  ['reserving failures', (round) => round.each((n) => round.failures.reserve(limitsOf(n), HOUR))],
  [
    'settling failures',
    (round) => round.each((n) => round.failures.settle(limitsOf(n), HOUR, WINDOWS, true)),
  ],
  ['finding accounts', (round) => round.each((n) => round.accounts.find(String(n)))],
  [
    'finding properties',
    (round) =>
      round.each((n) =>
        round.properties.find({
          label: 'main',
          applications: ['application', String(n)],
          profiles: ['', 'prod'],
        }),
      ),
  ],
];

describe.each([
  ['were never analysed', `select 1`],
  ['were analysed while they were empty', `vacuum analyze ${TABLES.join(', ')}`],
])('on tables that %s', (_, statistics) => {
  let database: TestDatabase;
  let kept: CountingSession;

  beforeAll(async () => {
    database = await createTestDatabase();
    await query(database.url, withoutAutovacuum);
    await query(database.url, statistics);
    kept = await openCountingSession(database.url);
    const round = new Round(kept, -1_000);
    for (const [, work] of WORK) await work(round);
    await clean(round);
    await query(database.url, fill(1, FEW));
  });
  afterAll(async () => {
    await kept.close();
    await database.drop();
  });

  describe.each([
    [`with ${FEW} sessions, as planned before there were any`, 0, 'select 1'],
    [`with ${FEW} sessions, planned anew`, 1, 'select 1'],
    [`with ${MANY} sessions, planned anew`, 2, fill(FEW + 1, MANY)],
    [`with ${MANY} sessions, planned after they were analysed`, 3, `analyze ${TABLES.join(', ')}`],
  ])('%s', (__, number, preparation) => {
    let round: Round;
    beforeAll(async () => {
      await query(database.url, preparation);
      await query(database.url, expire(number));
      const session = number === 0 ? kept : await openCountingSession(database.url);
      round = new Round(session, 1_000 * (number + 1));
    });
    afterAll(async () => {
      if (round.session !== kept) await round.session.close();
    });

    test.each(WORK)('%s reads a few rows for each', async (___, work) => {
      expect(await round.session.rowsRead(() => work(round))).toBeLessThanOrEqual(BATCH * ROWS);
    });

    test('cleaning reads the rows that have expired', async () => {
      expect(await round.session.rowsRead(() => clean(round))).toBeLessThanOrEqual(EXPIRED * ROWS);
    });
  });
});

async function clean({ tickets, failures }: Round): Promise<unknown> {
  return [await tickets.clean(), await failures.removeExpired(1_000)];
}
