// The logout of a session with 150 services. Some of them hang, refuse connections, redirect or fail, and a node dies while
// it sends the messages.
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { poolOf } from '@tessera/database';
import { RegisteredServiceEntity, ServiceStore } from '@tessera/services';
import { runTessera } from '../support/command-line.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { http } from '../support/http.js';
import { answer, hang, LogoutReceiver, sessionIndexIn } from '../support/logout-receiver.js';
import { endPrograms } from '../support/process.js';
import { registerApp, startNode, type SsoNode } from '../support/sso-node.js';
import { until } from '../support/until.js';
import { query } from '../support/validation.js';

const SERVICES = 150;
/** Nothing listens there. */
const CLOSED = 'http://127.0.0.1:1';
/** How every 25th service behaves, from the first one on; the others answer with 200. */
const BAD = [hang, 'refuses', answer(301, { location: '/elsewhere' }), answer(500)] as const;
const TOLD_BEFORE_CRASH = 30;
/** The most messages to one host that are under way when a node dies. */
const SENT_AT_ONCE = 4;

let database: TestDatabase;
let receiver: LogoutReceiver;
/** Another host, all of whose services hang. */
let hanging: LogoutReceiver;
let nodes: readonly SsoNode[];
let tgt: string;
let tickets: readonly string[];

const pathOf = (index: number): string => `/service-${index}`;
const behaviourOf = (index: number): (typeof BAD)[number] | undefined => BAD[index % 25];
const hostOf = (behaviour: (typeof BAD)[number] | undefined): string => {
  if (behaviour === hang) return hanging.url;
  return behaviour === 'refuses' ? CLOSED : receiver.url;
};
const serviceOf = (index: number): string => hostOf(behaviourOf(index)) + pathOf(index);
const indexes = Array.from({ length: SERVICES }, (_, index) => index);
const good = indexes.filter((index) => behaviourOf(index) === undefined);
const bad = indexes.filter((index) => behaviourOf(index) !== undefined);

const urlOf = ({ port }: SsoNode): string => `http://127.0.0.1:${port}/cas`;

async function send(method: string, path: string, form?: Readonly<Record<string, string>>) {
  const headers = { accept: 'text/plain' };
  const [node] = nodes;
  return http(method, urlOf(node!), path, { headers, ...(form && { form }) });
}

async function signIn(index: number): Promise<string> {
  const service = serviceOf(index);
  const { body: ticket } = await send('POST', `/v1/tickets/${tgt}`, { service });
  const { status } = await send('GET', `/serviceValidate${query({ service, ticket })}`);
  expect(status).toBe(200);
  return ticket;
}

async function logoutMessages(...args: readonly string[]): Promise<string> {
  const { exitCode, stdout } = await runTessera([
    'logout-messages',
    ...args,
    `--database.url=${database.url}`,
  ]);
  expect(exitCode).toBe(0);
  return stdout;
}

async function listed(): Promise<readonly { readonly service: string; readonly reason: string }[]> {
  return JSON.parse(await logoutMessages('list', '--json')) as [];
}

beforeAll(async () => {
  database = await createTestDatabase({ entities: [RegisteredServiceEntity] });
  await registerApp(database.dataSource);
  await ServiceStore.of(database.dataSource).add({
    serviceId: '^http://127\\.0\\.0\\.1:\\d+/.*',
    name: 'applications',
    logoutType: 'back',
  });
  [receiver, hanging] = [await LogoutReceiver.start(), await LogoutReceiver.start()];
  for (const index of bad) {
    const behaviour = behaviourOf(index);
    if (behaviour === hang) hanging.behave(pathOf(index), hang);
    else if (typeof behaviour === 'function') receiver.behave(pathOf(index), behaviour);
  }
  nodes = await Promise.all([startNode(database.url), startNode(database.url)]);
  tgt = (await send('POST', '/v1/tickets', { username: 'casuser', password: 'Mellon' })).body;
  const signedIn: string[] = [];
  for (let from = 0; from < SERVICES; from += 50) {
    signedIn.push(...(await Promise.all(indexes.slice(from, from + 50).map(signIn))));
  }
  tickets = signedIn;
});

afterAll(async () => {
  await endPrograms();
  await receiver?.stop();
  await hanging?.stop();
  await database?.drop();
});

test('a node dies in the middle: every service that works is told, the others are listed and told later', async () => {
  const [node, other] = nodes;
  const died = new Promise<void>((resolve) => {
    let told = 0;
    for (const index of good) {
      receiver.behave(pathOf(index), (response) => {
        told += 1;
        if (told === TOLD_BEFORE_CRASH) {
          node!.program.signal('SIGKILL');
          resolve();
        }
        response.end();
      });
    }
  });
  await send('DELETE', `/v1/tickets/${tgt}`);
  await died;
  expect(receiver.received.length).toBeLessThan(good.length);

  await until('the services that work are told', () =>
    good.every((index) => receiver.messagesTo(pathOf(index)).length > 0),
  );
  for (const index of good) {
    const messages = new Set(receiver.messagesTo(pathOf(index)));
    expect([...messages].map(sessionIndexIn)).toEqual([tickets[index]]);
  }
  const sentTwice = good.filter((index) => receiver.messagesTo(pathOf(index)).length > 1);
  expect(sentTwice.length).toBeLessThanOrEqual(SENT_AT_ONCE);

  await until('the other services are listed', async () => {
    const pool = poolOf(database.dataSource);
    await pool.query(`update logout_message set attempts = 12, next_attempt_at = now()
      where attempts between 1 and 11 and not taken`);
    const { rowCount } = await pool.query('select from logout_message where failed_at is not null');
    return (rowCount ?? 0) >= bad.length;
  });
  const failed = await listed();
  expect(failed.map(({ service }) => service).toSorted()).toEqual(bad.map(serviceOf).toSorted());
  expect([...new Set(failed.map(({ reason }) => reason))].toSorted()).toEqual([
    'It answered with status 301',
    'It answered with status 500',
    'It did not answer',
    'It did not answer in time',
  ]);
  expect(other!.program.isRunning).toBe(true);

  const [recovered = 0] = bad.filter((index) => behaviourOf(index) === BAD[3]);
  const before = receiver.messagesTo(pathOf(recovered));
  receiver.behave(pathOf(recovered), answer(200));
  expect(await logoutMessages('retry', '--all')).toBe(`${bad.length} messages are sent again\n`);
  const all = await until('the message comes again', () => {
    const messages = receiver.messagesTo(pathOf(recovered));
    return messages.length > before.length && messages;
  });
  expect(new Set(all).size).toBe(1);
});
