import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { configureLogging } from '@tessera/logging';
import { createEmptyDatabase } from '../../../test/support/database.js';
import { DatabaseProxy } from '../../../test/support/tcp-proxy.js';
import { until } from '../../../test/support/until.js';
import { Announcements } from './announcements.js';
import { connect } from './connection.js';

const LISTENERS = `from pg_stat_activity where query like 'listen %' and datname = current_database()`;

let database: Awaited<ReturnType<typeof createEmptyDatabase>>;
let proxy: DatabaseProxy;
let dataSource: DataSource;
let started: Announcements[];
let warnings: string[];

beforeAll(async () => {
  database = await createEmptyDatabase();
  proxy = new DatabaseProxy(database.url);
  await proxy.set('open');
});
afterAll(async () => {
  await proxy.close();
  await database.drop();
});
beforeEach(async () => {
  started = [];
  warnings = [];
  const write = (line: string): unknown => warnings.push((JSON.parse(line) as { msg: string }).msg);
  configureLogging({ application: 'test', levels: { root: 'warn' }, write });
  dataSource = await connect({ url: proxy.url, applicationName: 'spec', migrations: [] });
});
afterEach(async () => {
  await proxy.set('open');
  await Promise.all(started.map((each) => each.stop()));
  await dataSource.destroy();
  configureLogging({ application: 'test', levels: { root: 'warn' } });
});

/** A process that listens, and what it heard: `channel: occasion`. */
async function startListening(
  ...channels: readonly string[]
): Promise<{ announcements: Announcements; heard: string[] }> {
  const announcements = new Announcements(dataSource);
  const heard: string[] = [];
  for (const channel of channels) {
    announcements.listen(channel, (occasion) => heard.push(`${channel}: ${occasion}`));
  }
  announcements.start();
  started.push(announcements);
  await until('it is connected', () => heard.length === channels.length);
  return { announcements, heard };
}

async function sessions(): Promise<number> {
  const [row] = await dataSource.query<[{ count: string }]>(`select count(*) ${LISTENERS}`);
  return Number(row.count);
}

test('an announcement that cannot be made reports an unavailable database', async () => {
  const { announcements } = await startListening('a');
  await proxy.set('refuse');
  proxy.cut();
  await expect(announcements.announce('a')).rejects.toMatchObject({ code: 'DATABASE_UNAVAILABLE' });
});

describe('an announcement', () => {
  test('reaches the other listeners of its channel, and nobody else', async () => {
    const [one, two, other] = [
      await startListening('a', 'b'),
      await startListening('a', 'b'),
      await startListening('b'),
    ];
    await one.announcements.announce('a');
    await two.announcements.announce('b');
    // Each session hears in the order of the announcements.
    await until('the last is heard', () => one.heard.length > 2 && other.heard.length > 1);
    expect(one.heard).toEqual(['a: first connection', 'b: first connection', 'b: announcement']);
    expect(two.heard.slice(2)).toEqual(['a: announcement']);
    expect(other.heard).toEqual(['b: first connection', 'b: announcement']);
  });

  test('distinguishes another process of the same program', async () => {
    const others = [await startListening('a'), await startListening('a')];
    const [one, two] = others.map(({ heard }) => heard);
    const program = new Announcements(dataSource, 'p');
    const ours: string[] = [];
    const process = new Announcements(dataSource, 'p');
    process.listen('a', (occasion) => ours.push(occasion));
    process.start();
    await until('it is connected', () => ours.length === 1);
    await program.announce('a');
    await others[0]?.announcements.announce('a');
    await until('all have heard', () => ours.length === 3 && two?.length === 3);
    await process.stop();
    expect(ours).toEqual(['first connection', 'announcement of our own', 'announcement']);
    expect(one).toEqual(['a: first connection', 'a: announcement']);
  });

  test('may come from any user of the database, on a channel of any name', async () => {
    const { heard } = await startListening('"; drop');
    await dataSource.query(`notify """; drop"`);
    await until('it is heard', () => heard.includes('"; drop: announcement'));
  });
});

test('all channels of a process take one session', async () => {
  await startListening('a', 'b', 'c');
  expect(await sessions()).toBe(1);
});

test('a lost connection is logged, and opened again', async () => {
  const { announcements } = await startListening('b');
  const { heard } = await startListening('a');
  await dataSource.query(`select pg_terminate_backend(pid) ${LISTENERS}`);
  await until('it is connected again', () => heard.length === 2);
  await announcements.announce('a');
  await until('it hears', () => heard.length === 3);
  expect(heard).toEqual(['a: first connection', 'a: later connection', 'a: announcement']);
  expect(warnings).toContain('cannot hear for now what other processes announce');
});

test('a database that comes later is waited for', async () => {
  await proxy.set('refuse');
  const connected = startListening('a');
  await until('it has tried', () => warnings.length > 0);
  await proxy.set('open');
  expect((await connected).heard).toEqual(['a: first connection']);
});

describe('announced soon', () => {
  test('its own listener is called at once, and others once for all calls of that moment', async () => {
    const one = await startListening('a', 'b');
    const two = await startListening('a', 'b');
    const own = 'a: announcement of our own';
    for (let each = 0; each < 50; each += 1) one.announcements.announceSoon('a');
    expect(one.heard.slice(2)).toEqual(Array(50).fill(own));
    await one.announcements.stop();
    await one.announcements.announce('b');
    await until('the last is heard', () => two.heard.includes('b: announcement'));
    expect(two.heard.slice(2)).toEqual(['a: announcement', 'b: announcement']);
  });

  test('what cannot be announced is logged, and the next one is', async () => {
    const one = await startListening('a');
    const two = await startListening('a');
    await proxy.set('refuse');
    one.announcements.announceSoon('a');
    await until('it is logged', () => warnings.includes('other processes could not be told'));
    await proxy.set('open');
    await until('it is connected again', () => two.heard.includes('a: later connection'));
    one.announcements.announceSoon('a');
    await until('it is heard', () => two.heard.includes('a: announcement'));
  });
});

describe('to stop', () => {
  test('ends the session, and nothing is heard any more', async () => {
    const { announcements, heard } = await startListening('a');
    const other = await startListening('b');
    await announcements.stop();
    await until('it ends', async () => (await sessions()) === 1);
    await other.announcements.announce('a');
    expect(heard).toHaveLength(1);
  });

  test('at once after the start leaves nothing behind', async () => {
    const announcements = new Announcements(dataSource);
    announcements.listen('a', () => {});
    announcements.start();
    await announcements.stop();
    await until('there is none', async () => (await sessions()) === 0);
  });
});
