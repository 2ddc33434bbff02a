// Two nodes of the SSO application on one database, each with settings of its own: what is asked of one, both do.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { configureLogging } from '@tessera/logging';
import { ReloadableSettings } from '@tessera/config';
import { SsoSettings } from '../../apps/sso/src/settings/sso-settings.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { DatabaseProxy } from '../support/tcp-proxy.js';
import { makeFolder, removeFolder } from '../support/folders.js';
import { http } from '../support/http.js';
import { until } from '../support/until.js';
import { type HostedSso, hostSso } from '../support/sso.js';

const DIALECT = 'sso.dialect';
const REFUSED = 'settings were not reloaded: the current ones stay';

interface LogLine {
  readonly logger: string;
  readonly msg: string;
  readonly cause: string;
}

let folder: string;
let database: TestDatabase;
let lines: LogLine[];
let one: Node;
let other: Node;

/** A node in this process. */
class Node {
  /** What it was asked to reload for, by callers or by itself. */
  readonly causes: string[] = [];

  hosted!: HostedSso;

  private constructor(
    readonly proxy: DatabaseProxy,
    readonly live: ReloadableSettings<SsoSettings>,
    private readonly directory: string,
  ) {}

  static async start(name: string): Promise<Node> {
    const directory = join(folder, name);
    await mkdir(join(directory, 'config'), { recursive: true });
    const proxy = new DatabaseProxy(database.url);
    await proxy.set('open');
    const live = await ReloadableSettings.load(SsoSettings, {
      application: 'sso',
      env: {},
      directory,
      credentialDirectories: [],
      argv: [
        '--profiles.active=dev',
        `--database.url=${proxy.url}`,
        '--sso.services.import=',
        '--management.port=0',
      ],
    });
    const node = new Node(proxy, live, directory);
    node.hosted = await hostSso(live, (reload) => (cause) => {
      node.causes.push(cause);
      return reload(cause);
    });
    return node;
  }

  write(settings: object): Promise<void> {
    return writeFile(join(this.directory, 'config/sso.yml'), JSON.stringify(settings));
  }

  /** As an operator does. */
  async refresh(): Promise<unknown> {
    const headers = { host: 'localhost' };
    return JSON.parse(
      (await http('POST', `${this.hosted.address}/cas`, '/actuator/refresh', { headers })).body,
    );
  }

  async close(): Promise<void> {
    await this.hosted.close();
    await this.proxy.close();
  }
}

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  lines = [];
  const write = (line: string): unknown => lines.push(JSON.parse(line) as LogLine);
  configureLogging({ application: 'test', levels: {}, write });
  folder = await makeFolder();
  [one, other] = await Promise.all([Node.start('one'), Node.start('other')]);
  await untilListening(2);
});
afterEach(async () => {
  await Promise.all([one.close(), other.close()]);
  await untilListening(0);
  await removeFolder(folder);
  configureLogging({ application: 'test', levels: { root: 'warn' } });
});

async function untilListening(count: number): Promise<void> {
  await until('they listen', async () => {
    const listeners = await database.dataSource.query<unknown[]>(
      `select from pg_stat_activity
       where query like 'listen %' and state = 'idle' and datname = current_database()`,
    );
    return listeners.length === count;
  });
}

const both = (settings: object) => Promise.all([one.write(settings), other.write(settings)]);
const told = (text: string): LogLine[] => lines.filter(({ msg }) => msg === text);
const dialects = (): string[] => [one, other].map(({ live }) => live.current.dialect);

test('invalid settings at one node are refused there, and concern no other', async () => {
  await Promise.all([one.write({ [DIALECT]: 'x' }), other.write({ [DIALECT]: 'apereo' })]);
  expect(await one.refresh()).toMatchObject({ code: 'SETTINGS_INVALID' });
  expect(other.causes).toEqual([]);
  await one.write({ [DIALECT]: 'y' });
  expect(await other.refresh()).toEqual([DIALECT]);
  await until('it is refused', () => told(REFUSED).length === 2);
  expect(told(REFUSED)[1]).toMatchObject({ cause: 'another node', logger: 'settings' });
  expect(dialects()).toEqual(['documented', 'apereo']);
});

test('a call at one node reloads the others, each from its own sources, and only once', async () => {
  await one.write({ [DIALECT]: 'apereo' });
  await other.write({ [DIALECT]: 'apereo', 'sso.tickets.st.lifetime': '3s' });
  expect(await one.refresh()).toEqual([DIALECT]);
  await until('the other follows', () => dialects()[1] === 'apereo');
  expect(other.live.current.tickets.lifetimes).toMatchObject({ serviceTicket: 3_000 });
  expect(told('settings were reloaded')).toMatchObject([
    { cause: expect.stringContaining('POST /actuator/refresh') },
    { cause: 'another node', changed: [DIALECT, 'sso.tickets.st.lifetime'] },
  ]);
  await both({});
  await other.refresh();
  await until('the first follows', () => dialects()[0] === 'documented');
  for (const { causes } of [one, other]) {
    expect(causes.filter((cause) => cause === 'another node')).toHaveLength(1);
  }
});

test('a call is announced although the called node has applied the change before', async () => {
  await both({ [DIALECT]: 'apereo' });
  await one.hosted.reload('polling');
  expect(await one.refresh()).toEqual([]);
  await until('the other follows', () => dialects()[1] === 'apereo');
});

describe('an unavailable database', () => {
  test('refuses the reload, since no application could start', async () => {
    await one.proxy.set('refuse');
    one.proxy.cut();
    await one.write({ [DIALECT]: 'apereo' });
    expect(await one.refresh()).toMatchObject({ problems: ['The database is not available.'] });
    expect(dialects()).toEqual(['documented', 'documented']);
  });

  test('hides no announcement: a node that hears again reloads', async () => {
    await other.proxy.set('refuse');
    other.proxy.cut();
    await both({ [DIALECT]: 'apereo' });
    await one.refresh();
    expect(dialects()).toEqual(['apereo', 'documented']);
    await other.proxy.set('open');
    await until('it hears again', () => dialects()[1] === 'apereo');
  });
});
