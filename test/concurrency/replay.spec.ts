// One service ticket is validated many times at once by two processes on one database.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { UserAccount } from '@tessera/accounts';
import { RegisteredServiceEntity } from '@tessera/services';
import { Connection, type TimedReply } from '../support/connection.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { endPrograms } from '../support/process.js';
import { APP, registerApp, startNode } from '../support/sso-node.js';

const PRESENTATIONS = 100;

const SERVICE = encodeURIComponent(APP);

let database: TestDatabase;
/** They alternate between the two processes. */
let connections: readonly Connection[];

beforeAll(async () => {
  database = await createTestDatabase({ entities: [RegisteredServiceEntity, UserAccount] });
  await registerApp(database.dataSource);
  const nodes = await Promise.all([startNode(database.url), startNode(database.url)]);
  connections = await Promise.all(
    Array.from({ length: PRESENTATIONS }, (_, index) =>
      Connection.open(nodes[index % nodes.length]!.port),
    ),
  );
});

afterAll(async () => {
  for (const connection of connections) connection.close();
  await endPrograms();
  await database.drop();
});

async function login(): Promise<string> {
  const form = 'username=casuser&password=Mellon';
  const reply = await connections[0]!.post('/cas/v1/tickets', form, ['Accept: text/plain']);
  expect(reply.status).toBe(201);
  return reply.body;
}

async function grant(tgt: string, turn: number): Promise<string> {
  const connection = connections[turn % connections.length]!;
  const reply = await connection.post(`/cas/v1/tickets/${tgt}`, `service=${SERVICE}`);
  expect(reply.status).toBe(200);
  return reply.body;
}

/** A way to validate a ticket, with its two well-formed answers. */
interface Presentation {
  present(connection: Connection, ticket: string): Promise<TimedReply>;
  readonly success: RegExp;
  refusal(ticket: string): string;
}

const query = (ticket: string): string => `service=${SERVICE}&ticket=${ticket}`;
const REFUSED_XML = (ticket: string): string =>
  "<cas:serviceResponse xmlns:cas='http://www.yale.edu/tp/cas'>\n" +
  `    <cas:authenticationFailure code="INVALID_TICKET">Ticket '${ticket}' not recognized</cas:authenticationFailure>\n` +
  '</cas:serviceResponse>\n';
const ACCEPTED_XML =
  /^<cas:serviceResponse xmlns:cas='http:\/\/www\.yale\.edu\/tp\/cas'>\n {4}<cas:authenticationSuccess>\n {8}<cas:user>casuser<\/cas:user>\n[^]*<\/cas:serviceResponse>\n$/;
const XML = { success: ACCEPTED_XML, refusal: REFUSED_XML };

const P3: Presentation = {
  ...XML,
  present: (connection, ticket) => connection.get(`/cas/p3/serviceValidate?${query(ticket)}`),
};

const ALL_ENDPOINTS: readonly Presentation[] = [
  P3,
  {
    success: /^yes\ncasuser\n$/,
    refusal: () => 'no\n\n',
    present: (connection, ticket) => connection.get(`/cas/validate?${query(ticket)}`),
  },
  ...['/serviceValidate', '/proxyValidate', '/p3/proxyValidate'].map((path) => ({
    ...XML,
    present: (connection: Connection, ticket: string) =>
      connection.get(`/cas${path}?${query(ticket)}`),
  })),
  ...['/serviceValidate', '/p3/serviceValidate'].map((path) => ({
    ...XML,
    present: (connection: Connection, ticket: string) =>
      connection.post(`/cas${path}`, query(ticket)),
  })),
];

/** Validates the ticket on every connection at once. @returns how often it was accepted */
async function presentEverywhere(ticket: string, ways: readonly Presentation[]): Promise<number> {
  const replies = await Promise.all(
    connections.map(async (connection, index) => {
      // Two neighbours use the same endpoint, so that both processes serve every endpoint.
      const way = ways[Math.floor(index / 2) % ways.length]!;
      return { way, reply: await way.present(connection, ticket) };
    }),
  );
  const accepted = replies.filter(({ reply }) => reply.status === 200);
  for (const { way, reply } of accepted) expect(reply.body).toMatch(way.success);
  for (const { way, reply } of replies.filter((each) => !accepted.includes(each))) {
    expect(reply).toMatchObject({ status: 400, body: way.refusal(ticket) });
  }
  return accepted.length;
}

describe('a service ticket presented 100 times at once over two processes', () => {
  test.each([
    ['one endpoint', 8, [P3]],
    ['every endpoint, GET and POST', 5, ALL_ENDPOINTS],
  ])('at %s is accepted exactly once, for %i tickets', async (_, tickets, ways) => {
    const tgt = await login();
    const accepted: number[] = [];
    for (let turn = 0; turn < tickets; turn += 1) {
      accepted.push(await presentEverywhere(await grant(tgt, turn), ways));
    }
    expect(accepted).toEqual(Array.from({ length: tickets }, () => 1));
  });
});
