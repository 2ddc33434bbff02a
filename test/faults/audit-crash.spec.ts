// A node or PostgreSQL is killed under load: the audit trail lacks nothing but the last moment of the node.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { openEmbeddedPostgres, type EmbeddedPostgres } from '@tessera/embedded-postgres';
import { makeFolder, removeFolder } from '../support/folders.js';
import { freePort } from '../support/free-port.js';
import { http } from '../support/http.js';
import { hasNewPostmaster, postmasterOf } from '../support/postmaster.js';
import { endPrograms } from '../support/process.js';
import { signalAll, stopTree } from '../support/process-table.js';
import { query } from '../support/query.js';
import { APP, prepareDatabase, startNode, type SsoNode } from '../support/sso-node.js';
import { until } from '../support/until.js';
import { Load, type Answer } from './load.js';

/** The interval of the writer, and the limits of the write under way and of the next one. */
const STORED_WITHIN_MS = 250 + 2 * 1_000;
/** Longer than the writer waits before it writes a batch again. */
const OUTAGE_MS = 1_500;
const CONNECTIONS = 8;
const ENOUGH = 100;
const USERS = Array.from({ length: 2_000 }, (_, number) => `user-${number}`);
const ACCOUNTS = ['casuser', ...USERS].map((name) => `${name}::Mellon`);

const ACTIONS = { login: 'LOGIN', grant: 'GRANT_TICKET', validate: 'VALIDATE_TICKET' };

interface StoredEvent {
  readonly text: string;
  readonly subject: string;
  readonly requestId: string;
}

/** Refused events of one caller are counted together beyond a rate. */
const COUNTED = `action in ('GRANT_TICKET', 'VALIDATE_TICKET') and outcome <> 'success'`;

let folder: string;
let postgres: EmbeddedPostgres;
let node: SsoNode;
let url: string;
let metrics: string;
let administrator: string;
let load: Load;
/** Ids of services. */
const registered: string[] = [];

beforeAll(async () => {
  folder = await makeFolder();
  postgres = await openEmbeddedPostgres({ directory: folder });
  await prepareDatabase(postgres.url);
  const managementPort = await freePort();
  metrics = `http://127.0.0.1:${managementPort}`;
  // By default the audit trail waits for no standby: withholdAnswers needs it.
  const waiting = `${postgres.url}&options=-c%20synchronous_commit%3Don`;
  node = await startNode(waiting, [
    '--sso.modules=rest,rest-services',
    '--sso.tickets.st.lifetime=10m',
    `--management.port=${managementPort}`,
    '--audit.tickets=true',
    `--sso.authentication.static.users=${ACCOUNTS.join()}`,
  ]);
  url = `http://127.0.0.1:${node.port}/cas`;
  administrator = await post('/v1/tickets', { username: 'casuser', password: 'Mellon' });
});

afterAll(async () => {
  await endPrograms();
  await postgres?.stop();
  await removeFolder(folder);
});

beforeEach(async () => {
  await query(postgres.url, `delete from audit_event where action <> 'REGISTER_SERVICE'`);
  load = new Load({ ports: [() => node.port], connectionsPerNode: CONNECTIONS, users: USERS });
  await until('the load is under way', () => load.answers.length >= ENOUGH);
});

afterEach(() => load.stop());

/** @returns the body of the accepted request */
async function post(path: string, form: Readonly<Record<string, string>>): Promise<string> {
  const headers = { accept: 'text/plain' };
  const { status, body } = await http('POST', url, path, { form, headers });
  expect([200, 201]).toContain(status);
  return body;
}

async function registerService(name: string): Promise<void> {
  const serviceId = `^https://${name}\\.example\\.org/.*`;
  const form = { serviceId, name, description: name };
  registered.push(await post(`/v1/services/add/${administrator}`, form));
}

async function expectRegistrations(): Promise<void> {
  const rows = await query(
    postgres.url,
    `select subject from audit_event where action = 'REGISTER_SERVICE' order by subject::bigint`,
  );
  expect(rows).toEqual(registered.map((subject) => ({ subject })));
}

/** The events of the load that succeeded. */
async function storedEvents(): Promise<readonly StoredEvent[]> {
  const rows = await query(
    postgres.url,
    `select concat_ws(' ', action, outcome, coalesce(service, principal)) as text,
      coalesce(service, principal) as subject, request_id as "requestId"
    from audit_event
    where action in ('${Object.values(ACTIONS).join("', '")}') and outcome = 'success'
      and (action, principal) is distinct from ('LOGIN', 'casuser')`,
  );
  return rows as readonly StoredEvent[];
}

/** The number of refused grants and validations. */
async function storedRefusals(): Promise<number> {
  const [row] = await query(
    postgres.url,
    `select coalesce(sum(coalesce((details->>'count')::int, 1)), 0)::int as refusals from audit_event where ${COUNTED}`,
  );
  return (row as { readonly refusals: number }).refusals;
}

const isSuccess = ({ status }: Answer): boolean => status < 300;

function eventOf({ step, subject }: Answer): string {
  return `${ACTIONS[step]} success ${subject}`;
}

/** Each of these requests has one event. */
function expectNoneTwice(events: readonly StoredEvent[]): void {
  expect(new Set(events.map(({ requestId }) => requestId)).size).toBe(events.length);
}

/** Waits for a batch that is committed but not answered: until a restart, commits wait for a standby that does not exist. */
async function withholdAnswers(): Promise<void> {
  await query(postgres.url, `alter system set synchronous_standby_names = 'absent'`);
  await query(postgres.url, 'select pg_reload_conf()');
  const batches = `select from pg_stat_activity
    where wait_event = 'SyncRep' and query like '%insert into audit_event%'`;
  await until('a batch is committed, and not answered', async () => {
    return (await query(postgres.url, batches)).length > 0;
  });
  await query(postgres.url, 'alter system reset synchronous_standby_names');
}

describe('after PostgreSQL is killed', () => {
  test('the audit trail has one event of each answered request, also if the answer to a batch was lost', async () => {
    await registerService('just-before-the-database');
    await withholdAnswers();
    // Is answered without the database. Its event waits behind the batch under way.
    const service = `${APP}just-before-the-database`;
    const validation = `/p3/serviceValidate?service=${service}&ticket=ST-malformed`;
    expect((await http('GET', url, validation)).status).toBe(400);
    const killed = performance.now();
    do {
      const victim = postmasterOf(folder);
      signalAll(stopTree(victim), 'SIGKILL');
      await until('another server runs', () => hasNewPostmaster(folder, victim));
    } while (performance.now() - killed < OUTAGE_MS);
    const returned = performance.now();
    await until('tickets are accepted again', () => {
      return load.since(returned).filter(({ status }) => status < 300).length >= ENOUGH;
    });
    await load.stop();

    const isUnavailable = ({ status }: Answer): boolean => status === 503;
    expect(load.answers.filter(isUnavailable)).not.toEqual([]);
    expect([load.unexpectedAnswers, load.unanswered]).toEqual([[], []]);
    // A login that is answered with 503 may have been accepted before the session could not be stored.
    const undecided = new Set(
      load.answers
        .filter((answer) => answer.step === 'login' && isUnavailable(answer))
        .map(({ subject }) => subject),
    );
    const isDecided = ({ subject }: { readonly subject: string }): boolean =>
      !undecided.has(subject);
    const answered = load.answers.filter((answer) => isDecided(answer) && isSuccess(answer));
    const refused = load.answers.filter(({ step, status }) => step !== 'login' && status >= 300);
    const recorded = async (): Promise<readonly StoredEvent[]> =>
      (await storedEvents()).filter(isDecided);
    const expected = answered.map(eventOf);
    await until('the events are stored', async () => {
      if ((await recorded()).length < expected.length) return false;
      return (await storedRefusals()) >= refused.length + 1;
    });
    const events = await recorded();
    expect(events.map(({ text }) => text).toSorted()).toEqual(expected.toSorted());
    // One more was made by hand.
    expect(await storedRefusals()).toBe(refused.length + 1);
    expectNoneTwice(await storedEvents());
    await expectRegistrations();
    const { body } = await http('GET', metrics, '/metrics');
    expect(body).toContain('\ntessera_audit_events_total{outcome="lost"} 0\n');
  });
});

describe('after a node is killed', () => {
  test('the audit trail lacks only its last events, and no change of services that it answered', async () => {
    const began = performance.now();
    await until('the load has gone on for longer than a write takes', () => {
      return performance.now() - began > STORED_WITHIN_MS;
    });
    await registerService('before-the-node');
    await registerService('just-before-the-node');
    const killed = performance.now();
    await node.program.kill();
    await load.stop();

    const events = await storedEvents();
    const texts = new Set(events.map(({ text }) => text));
    const isStored = (answer: Answer): boolean => texts.has(eventOf(answer));
    const missing = load.answers.filter((answer) => isSuccess(answer) && !isStored(answer));
    expect(missing.filter(({ at }) => at < killed - STORED_WITHIN_MS)).toEqual([]);
    // An event is recorded between request and answer.
    const lastStored = Math.max(...load.answers.filter(isStored).map(({ at, ms }) => at - ms));
    expect(missing.filter(({ at }) => at < lastStored)).toEqual([]);
    expectNoneTwice(events);
    await expectRegistrations();
  });
});
