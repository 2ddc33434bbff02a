// A node or the database dies or hangs under load: no session is lost, no ticket is accepted twice, every request is
// answered, and the service recovers by itself.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { openEmbeddedPostgres, type EmbeddedPostgres } from '@tessera/embedded-postgres';
import { Connection } from '../support/connection.js';
import { makeFolder, removeFolder } from '../support/folders.js';
import { http } from '../support/http.js';
import { hasNewPostmaster, postmasterOf } from '../support/postmaster.js';
import { endPrograms } from '../support/process.js';
import { signalAll, stopTree } from '../support/process-table.js';
import { prepareDatabase, startNode, type SsoNode } from '../support/sso-node.js';
import { until } from '../support/until.js';
import { Load } from './load.js';

/** Tickets outlive the test, so that none is refused because it has expired. */
const SETTINGS = ['--sso.tickets.st.lifetime=10m'];
const ENOUGH = 30;
/** Connections to each node. */
const CONNECTIONS = 4;

let folder: string;
let postgres: EmbeddedPostgres;
let nodes: SsoNode[];
let load: Load;

beforeAll(async () => {
  folder = await makeFolder();
  // This process owns it and restarts it.
  postgres = await openEmbeddedPostgres({ directory: folder });
  await prepareDatabase(postgres.url);
  const start = (): Promise<SsoNode> => startNode(postgres.url, SETTINGS);
  nodes = await Promise.all([start(), start()]);
});

afterAll(async () => {
  await endPrograms();
  await postgres.stop();
  await removeFolder(folder);
});

beforeEach(async () => {
  load = startLoad();
  await until('the load is under way', () => load.answers.length >= ENOUGH);
});

afterEach(() => load.stop());

function startLoad(): Load {
  const ports = nodes.map((_, index) => () => nodes[index]!.port);
  return new Load({ ports, connectionsPerNode: CONNECTIONS });
}

async function health(node: SsoNode, check: 'live' | 'ready'): Promise<number> {
  return (await http('GET', `http://127.0.0.1:${node.port}`, `/cas/health/${check}`)).status;
}

/** Whether every node has answered each step of a cycle successfully since `moment`. */
function servesSince(moment: number): boolean {
  return nodes.every((_, node) => {
    const good = load.since(moment, node).filter(({ status }) => status < 300);
    return ['login', 'grant', 'validate'].every((step) => good.some((each) => each.step === step));
  });
}

/** Stops the load and checks its record. @param node that still runs */
async function expectNothingLost(node = 0): Promise<void> {
  await load.stop();
  const gone = await load.validateAllAgain(node);
  expect(load.unexpectedAnswers).toEqual([]);
  expect([...load.tickets.values()]).toContain(1);
  expect(load.replayed).toEqual([]);
  expect(gone).toEqual([]);
}

describe('a database that dies', () => {
  test('is answered for with 503, and loses no session and revives no ticket', async () => {
    const killed = performance.now();
    for (let death = 0; death < 3; death += 1) {
      const victim = postmasterOf(folder);
      process.kill(victim, 'SIGKILL');
      await until('another server runs', () => hasNewPostmaster(folder, victim));
    }
    const returned = performance.now();
    await until('both serve', () => servesSince(returned));
    const away = load.since(killed).filter(({ status }) => status === 503);
    expect(new Set(away.map(({ node }) => node))).toEqual(new Set([0, 1]));
    await expectNothingLost();
    expect(load.unanswered).toEqual([]);
  });
});

describe('a database that hangs', () => {
  test('is answered for with 503, and serves when it goes on', async () => {
    const hung = performance.now();
    const pids = stopTree(postmasterOf(folder));
    try {
      await until('each connection has seen two answers', () => {
        return [0, 1].every((node) => refusals(hung, node) >= 3 * CONNECTIONS);
      });
    } finally {
      signalAll(pids, 'SIGCONT');
    }
    const returned = performance.now();
    await until('both serve', () => servesSince(returned));
    await expectNothingLost();
    expect(load.unanswered).toEqual([]);
  });

  function refusals(moment: number, node: number): number {
    return load.since(moment, node).filter(({ status }) => status === 503).length;
  }
});

describe('the health checks', () => {
  test('say that a node is alive but not ready while the database is unavailable', async () => {
    const pids = stopTree(postmasterOf(folder));
    try {
      for (const node of nodes) {
        expect(await health(node, 'ready')).toBe(503);
        expect(await health(node, 'live')).toBe(200);
      }
    } finally {
      signalAll(pids, 'SIGCONT');
    }
    for (const node of nodes) {
      await until('it is ready again', async () => (await health(node, 'ready')) === 200);
    }
  });
});

describe('a node that is killed', () => {
  test('leaves the other one serving, and serves again after its start', async () => {
    const killed = performance.now();
    await nodes[0]!.program.kill();
    await until('the other one goes on', () => load.since(killed, 1).length >= ENOUGH);
    expect(load.since(killed, 1).filter(({ status }) => status === 503)).toEqual([]);
    nodes[0] = await startNode(postgres.url, SETTINGS);
    const restarted = performance.now();
    await until('both serve', () => servesSince(restarted));
    await expectNothingLost();
    expect(load.unanswered.filter(({ node }) => node === 1)).toEqual([]);
  });
});

describe('SIGTERM', () => {
  test('lets a node answer what it was asked, and end with 0, also while the database hangs', async () => {
    const idle = await Connection.open(nodes[0]!.port);
    const used = await Connection.open(nodes[0]!.port);
    expect((await used.get('/cas/health/live')).status).toBe(200);
    expect(await nodes[0]!.program.stop('SIGTERM')).toMatchObject({ code: 0, signal: null });
    await until('its connections are closed', () => !idle.isOpen && !used.isOpen);
    await expectNothingLost(1);
    expect(load.unanswered).toEqual([]);

    const pids = stopTree(postmasterOf(folder));
    try {
      const asked = await Connection.open(nodes[1]!.port);
      expect((await asked.get('/cas/health/live')).status).toBe(200);
      const stuck = asked.post('/cas/v1/tickets', 'username=casuser&password=Mellon');
      const ending = await nodes[1]!.program.stop('SIGTERM');
      expect((await stuck).status).toBe(503);
      expect(ending).toMatchObject({ code: 0, signal: null });
    } finally {
      signalAll(pids, 'SIGCONT');
    }
  });
});
