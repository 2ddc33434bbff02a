import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { SettingsHome } from '../../../../../test/support/live-settings.js';
import { LocalParticipant, type Vote } from './coordinated-reload.js';

const [KEY, OTHER_KEY] = [randomBytes(32), randomBytes(32)].map((key) => key.toString('base64'));

let home: SettingsHome;

beforeEach(async () => {
  home = await SettingsHome.make();
});
afterEach(() => home.remove());

async function voteOn(password: string, key = KEY): Promise<Vote> {
  const own = new LocalParticipant(await home.load());
  await home.write({ 'sso.password': password });
  const vote = await own.stage(key ?? '');
  own.discard();
  return vote;
}

const digestOf = async (password: string, key = KEY): Promise<unknown> =>
  Reflect.get(await voteOn(password, key), 'digest');

test('the digest is the same for the same settings and key alone', async () => {
  const digest = await digestOf('hunter2');
  expect(digest).toMatch(/^[\w+/]{43}=$/);
  expect(await digestOf('hunter2')).toBe(digest);
  expect(await digestOf('hunter3')).not.toBe(digest);
  expect(await digestOf('hunter2', OTHER_KEY)).not.toBe(digest);
});

test('a vote names keys, and no values', async () => {
  const vote = await voteOn('hunter2');
  expect(vote).toMatchObject({ changed: ['sso.password'], restart: [] });
  expect(JSON.stringify(vote)).not.toContain('hunter2');
});

test('discarded settings are never applied', async () => {
  const live = await home.load();
  const own = new LocalParticipant(live);
  await home.write({ 'sso.greeting': 'hi' });
  await own.stage(KEY ?? '');
  own.discard();
  await own.commit();
  expect(live.current.greeting).toBe('hello');
});
