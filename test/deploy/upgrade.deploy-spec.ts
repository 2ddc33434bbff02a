// The last release and this commit on one database, under load: an upgrade node by node, and the way back.
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { productVersion } from '@tessera/runtime';
import { Balancer } from '../support/balancer.js';
import { createEmptyDatabase } from '../support/database.js';
import { endPrograms, Program } from '../support/process.js';
import { until } from '../support/until.js';
import { buildRelease, lastRelease } from './last-release.js';
import { SessionLoad } from './session-load.js';

const THIS = join(import.meta.dirname, '../..');
const TIMEOUT_MS = 600_000;
const SERVICE_ID = '^https://app\\.example\\.org/.*';
/** Whole sessions, from login to logout, after each step. */
const SESSIONS_PER_STEP = 40;

const release = lastRelease();
const describeIfReleased = release === undefined ? describe.skip : describe;

interface Node {
  readonly program: Program;
  readonly port: number;
  readonly version: string;
}

describeIfReleased('an upgrade from the last release', () => {
  let database: Awaited<ReturnType<typeof createEmptyDatabase>>;
  let balancer: Balancer;
  let last: string;
  let one: Node;
  let two: Node;

  beforeAll(async () => {
    last = release === undefined ? '' : await buildRelease(release);
    database = await createEmptyDatabase();
    balancer = await Balancer.start();
    [one, two] = [await start(last), await start(last)];
  }, TIMEOUT_MS);
  afterAll(async () => {
    await endPrograms();
    await balancer?.stop();
    await database?.drop();
  });

  const programOf = (folder: string, application: string, args: readonly string[]): Program =>
    Program.run([
      process.execPath,
      join(folder, 'dist/apps', application, 'src/main.js'),
      ...args,
      `--database.url=${database.url}`,
    ]);

  async function command(folder: string, ...args: readonly string[]): Promise<string> {
    const program = programOf(folder, 'cli', args);
    expect([await program.ended, program.stderr]).toMatchObject([{ code: 0 }, '']);
    return program.stdout;
  }

  /** Starts a node, and puts it into the balancer when it listens. */
  async function start(folder: string): Promise<Node> {
    const settings = ['--profiles.active=dev', '--sso.port=0', '--sso.services.import='];
    const program = programOf(folder, 'sso', settings);
    const [line] = await program.waitForOutput(/^\{.*"msg":"listening"\}$/m);
    const { port, version } = JSON.parse(line) as { port: number; version: string };
    balancer.add(port);
    return { program, port, version };
  }

  /** Takes a node out of the balancer, and stops it. */
  async function stop({ program, port }: Node): Promise<void> {
    await balancer.remove(port);
    expect(await program.stop()).toMatchObject({ code: 0 });
  }

  /** Upgrades both nodes and takes them back. @param served waits for some sessions */
  async function upgradeAndRollBack(served: () => Promise<void>): Promise<void> {
    const replace = async (node: Node, folder: string): Promise<Node> => {
      const next = await start(folder);
      await served();
      await stop(node);
      await served();
      return next;
    };
    expect(await command(THIS, 'schema', 'status')).toMatch(/^upgrade: (?:none|rolling): /m);
    const upgraded = await replace(one, THIS);
    expect(upgraded.version).toBe(productVersion());
    // A node of the release restarts in the middle of the upgrade.
    const restarted = await replace(two, last);
    const both = [upgraded, await replace(restarted, THIS)] as const;
    for (const node of both) await replace(node, last);
  }

  test(
    'and a rollback fail no request',
    async () => {
      await command(last, 'service', 'add', SERVICE_ID, '--name', 'App');
      const load = new SessionLoad(balancer.url);
      await until('the service is known', () => load.begin());
      try {
        await upgradeAndRollBack(async () => {
          const enough = load.sessions + SESSIONS_PER_STEP;
          await until('sessions', () => load.failures.length > 0 || load.sessions >= enough);
          expect(load.failures).toEqual([]);
        });
      } finally {
        await load.stop();
      }
      expect(load.failures).toEqual([]);
      process.stderr.write(
        `upgrade from ${release?.tag} and rollback: ${load.requests} requests, ${load.sessions} sessions, 0 failed\n`,
      );
    },
    TIMEOUT_MS,
  );
});
