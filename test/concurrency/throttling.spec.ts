// Two processes on one database count failed logins together: both throttle an attacker, and nobody else.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { AccountStore, UserAccount } from '@tessera/accounts';
import { PasswordHashing } from '@tessera/crypto';
import { RegisteredServiceEntity } from '@tessera/services';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { http } from '../support/http.js';
import { endPrograms } from '../support/process.js';
import { startNode, type SsoNode } from '../support/sso-node.js';

const THRESHOLD = 5;
const THROTTLED = 429;
const REFUSED = 400;
const VICTIM = '127.0.0.3';

let database: TestDatabase;
let nodes: readonly SsoNode[];
let host = 10;
/** An address without failures. */
let attacker: string;

beforeAll(async () => {
  database = await createTestDatabase({ entities: [RegisteredServiceEntity, UserAccount] });
  const passwordHash = await new PasswordHashing({ iterations: 1 }).hash('Mellon');
  await AccountStore.of(database.dataSource).add({ name: 'alice', passwordHash });
});
beforeAll(async () => {
  nodes = await Promise.all([start(), start()]);
});
beforeEach(async () => {
  attacker = `127.0.1.${(host += 1)}`;
  await database.dataSource.query('truncate authentication_failure');
});
afterAll(async () => {
  await endPrograms();
  await database.drop();
});

function start(): Promise<SsoNode> {
  const given = [
    '--sso.authentication.handlers=accounts',
    '--sso.authentication.accounts.argon2.iterations=1',
    '--sso.throttle.rest.enabled=true',
    `--sso.throttle.rest.threshold=${THRESHOLD}`,
  ];
  return startNode(database.url, given);
}

async function login(node: SsoNode, password: string, localAddress: string): Promise<number> {
  const url = `http://127.0.0.1:${node.port}/cas`;
  const call = { form: { username: 'alice', password }, localAddress };
  return (await http('POST', url, '/v1/tickets', call)).status;
}

/** Sends the logins at once, alternating between the nodes. */
function loginAtOnce(count: number, password: string, address: string): Promise<number[]> {
  const turns = Array.from({ length: count }, (_, turn) => nodes[turn % nodes.length]!);
  return Promise.all(turns.map((node) => login(node, password, address)));
}

const count = (statuses: readonly number[], status: number): number =>
  statuses.filter((each) => each === status).length;

describe('two nodes', () => {
  test('cut an attacker off together: what failed on one counts on the other', async () => {
    const statuses: number[] = [];
    for (let turn = 0; turn < 2 * THRESHOLD; turn += 1) {
      statuses.push(await login(nodes[turn % 2]!, 'wrong', attacker));
    }
    expect(statuses).toEqual([
      ...Array<number>(THRESHOLD).fill(REFUSED),
      ...Array<number>(THRESHOLD).fill(THROTTLED),
    ]);
    for (const node of nodes) {
      expect(await login(node, 'Mellon', attacker)).toBe(THROTTLED);
      expect(await login(node, 'Mellon', VICTIM)).toBe(201);
    }
  });

  test('let the victim in while the attack goes on', async () => {
    const attack = loginAtOnce(200, 'wrong', attacker);
    expect(await loginAtOnce(10, 'Mellon', VICTIM)).toEqual(Array(10).fill(201));
    await attack;
  });

  test('check no more wrong passwords than the threshold, however many come at once', async () => {
    const statuses = await loginAtOnce(400, 'wrong', attacker);
    expect(count(statuses, REFUSED)).toBe(THRESHOLD);
    expect(count(statuses, THROTTLED)).toBe(400 - THRESHOLD);
  });
});
