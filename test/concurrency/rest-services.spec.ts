// A service registered on one node is known to the others by a notification, and survives a restart.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { UserAccount } from '@tessera/accounts';
import { RegisteredServiceEntity } from '@tessera/services';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { http, type Reply } from '../support/http.js';
import { endPrograms } from '../support/process.js';
import { SETTINGS } from '../support/service-registration.js';
import { startNode, type SsoNode } from '../support/sso-node.js';
import { until } from '../support/until.js';

/** Nodes are notified of a change. Polling, the fallback, must not hide a lost notification. */
const NO_POLLING = '--sso.services.poll-interval=1h';

let database: TestDatabase;
let nodes: [SsoNode, SsoNode];
let admin: string;

const start = (): Promise<SsoNode> => startNode(database.url, [...SETTINGS, NO_POLLING]);

beforeAll(async () => {
  database = await createTestDatabase({ entities: [RegisteredServiceEntity, UserAccount] });
  nodes = await Promise.all([start(), start()]);
  const form = { username: 'casuser', password: 'Mellon' };
  admin = (await post(0, '/v1/tickets', form, { accept: 'text/plain' })).body;
});
afterAll(async () => {
  await endPrograms();
  await database.drop();
});

function post(
  node: number,
  path: string,
  form: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>> = {},
): Promise<Reply> {
  return http('POST', `http://127.0.0.1:${nodes[node]!.port}/cas`, path, { form, headers });
}

const add = (node: number, name: string): Promise<Reply> =>
  post(node, `/v1/services/add/${admin}`, {
    serviceId: `https://${name}\\.example\\.org/.*`,
    name,
    description: name,
  });

const grants = async (node: number, name: string): Promise<boolean> => {
  const service = `https://${name}.example.org/`;
  return (await post(node, `/v1/tickets/${admin}`, { service })).status === 200;
};

describe('a service registered on one of two nodes', () => {
  test.each([
    ['first', 0, 1],
    ['second', 1, 0],
  ])('the %s, gets tickets there at once, and on the other soon', async (name, here, there) => {
    expect(await grants(there, name)).toBe(false);
    expect((await add(here, name)).status).toBe(200);
    expect(await grants(here, name)).toBe(true);
    await until('the other node grants a ticket', () => grants(there, name));
  });

  test('gets tickets after a restart, and keeps its id', async () => {
    const { body: id } = await add(0, 'lasting');
    await nodes[0].program.stop();
    nodes[0] = await start();
    expect(await grants(0, 'lasting')).toBe(true);
    const [row] = await database.dataSource.query<readonly unknown[]>(
      'select name from registered_service where id = $1',
      [id],
    );
    expect(row).toEqual({ name: 'lasting' });
  });

  test('has an id of its own, however many are added on both at once', async () => {
    const names = Array.from({ length: 8 }, (_, index) => `many-${index}`);
    const replies = await Promise.all(names.map((name, index) => add(index % 2, name)));
    expect(replies.map(({ status }) => status)).toEqual(names.map(() => 200));
    expect(new Set(replies.map(({ body }) => body)).size).toBe(8);
    for (const node of [0, 1]) {
      await until('the node grants tickets for all', async () => {
        const granted = await Promise.all(names.map((name) => grants(node, name)));
        return granted.every(Boolean);
      });
    }
  });
});
