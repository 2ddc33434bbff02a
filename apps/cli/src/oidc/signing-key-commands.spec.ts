import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { StoredSigningKey } from '@tessera/signing-keys';
import { idsOf, NEW, OLD, SigningKeySuite } from '../../../../test/support/signing-keys.js';
import { until } from '../../../../test/support/until.js';

const MINUTE = 60_000;
const DAY = 86_400_000;

let suite: SigningKeySuite;
beforeAll(async () => {
  suite = await SigningKeySuite.open();
});
afterAll(() => suite.close());
beforeEach(() => suite.clear());

const inState = async (state: StoredSigningKey['state']) =>
  (await suite.store.readAll()).filter((each) => each.state === state);

describe('rotate', () => {
  test('publishes new keys on all nodes, and signs with them later', async () => {
    const one = await suite.node();
    const before = idsOf(one.current());
    const { exitCode, stdout, stderr } = await suite.keys(['rotate']);
    expect({ exitCode, stderr }).toEqual({
      exitCode: 0,
      stderr: 'tessera: the new keys are published, and sign from the time above on\n',
    });
    const next = await inState('next');
    for (const { kid, algorithm, usableIn } of next) {
      expect(stdout).toMatch(new RegExp(`^${kid} +${algorithm} +next `, 'm'));
      expect(usableIn).toBeLessThanOrEqual(5 * MINUTE);
      expect(usableIn).toBeGreaterThan(3 * MINUTE);
    }
    await until('the node publishes them', () => one.current().length === 4);
    expect(idsOf(one.current())).toEqual([...before, ...idsOf(next)]);
    expect(await suite.events()).toEqual([
      {
        action: 'ROTATE_SIGNING_KEYS',
        subject: null,
        added: idsOf(next),
        removed: [],
        usableIn: 5 * MINUTE,
        now: false,
      },
    ]);
  });

  test('--usable-in says when they sign', async () => {
    await suite.node();
    await suite.keys(['rotate', '--usable-in', '2d']);
    const [next] = await inState('next');
    expect(next?.usableIn).toBeGreaterThan(DAY);
  });

  test('--now signs with new keys at once, and publishes no others', async () => {
    const one = await suite.node();
    const before = idsOf(one.current());
    await suite.keys(['rotate']);
    const { stdout, stderr } = await suite.keys(['rotate', '--now', '--json']);
    expect(JSON.parse(stdout)).toMatchObject([
      { algorithm: 'RS256', state: 'signs', publishedUntil: null },
      { algorithm: 'ES256', state: 'signs', publishedUntil: null },
    ]);
    expect(stderr).toMatch('the former keys are published no more');
    const after = idsOf(await suite.store.readAll());
    await until('the node has them', () => idsOf(one.current()).join() === after.join());
    expect(after.filter((kid) => before.includes(kid))).toEqual([]);
  });

  test('seals all keys with the first sealing key, so that the other one can go', async () => {
    await suite.node();
    expect(await suite.keys(['rotate'], [NEW, OLD])).toMatchObject({ exitCode: 0 });
    const stored = await suite.store.readAll();
    expect(stored.map(({ sealedPrivate }) => sealedPrivate.slice(0, 7))).toEqual(
      Array.from({ length: 4 }, () => 'v1.new.'),
    );
    expect(idsOf((await suite.node(NEW)).current())).toHaveLength(4);
  });

  test('--now replaces keys whose sealing key is lost', async () => {
    await suite.node();
    expect(await suite.keys(['rotate'], [NEW])).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('no key of sso.oidc.sealing-keys opens the signing key'),
    });
    expect(await inState('next')).toEqual([]);
    expect(await suite.keys(['rotate', '--now'], [NEW])).toMatchObject({ exitCode: 0 });
    expect((await suite.node(NEW)).current()).toHaveLength(2);
  });
});

test.each<[string, readonly string[], RegExp]>([
  ['rotate: no sealing key', ['rotate'], /^tessera: sso\.oidc\.sealing-keys must be set/],
  ['rotate: both times', ['rotate', '--now', '--usable-in', '5m'], /--usable-in or --now/],
  [
    'rotate: too soon',
    ['rotate', '--usable-in', '59s'],
    /^tessera: --usable-in must be a duration from 1m to 30d/,
  ],
  ['rotate: too late', ['rotate', '--usable-in', '31d'], /^tessera: --usable-in must be/],
  ['rotate: no duration', ['rotate', '--usable-in', '5'], /^tessera: --usable-in must be/],
  ['remove: an unknown key', ['remove', 'x'], /^tessera: there is no signing key x$/m],
  ['import: no file', ['import', '/no.jwks'], /^tessera: \/no\.jwks does not exist$/m],
])('%s is an error, and nothing changes', async (_, args, error) => {
  await suite.node();
  const before = await suite.store.readAll();
  const { exitCode, stdout, stderr } = await suite.keys(args, []);
  expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
  expect(stderr).toMatch(error);
  expect(idsOf(await suite.store.readAll())).toEqual(idsOf(before));
  expect(await suite.events()).toEqual([]);
});

test('list shows no private part, and needs no sealing key', async () => {
  const one = await suite.node();
  const [json, table] = [await suite.keys(['list', '--json'], []), await suite.keys(['list'], [])];
  expect(JSON.parse(json.stdout)).toEqual(
    (await suite.store.readAll()).map(({ kid, algorithm, createdAt, usableFrom }) => ({
      kid,
      algorithm,
      state: 'signs',
      created: createdAt.toISOString(),
      signsFrom: usableFrom?.toISOString(),
      publishedUntil: null,
    })),
  );
  expect(table.stdout).toMatch(/^KID +ALGORITHM +STATE +SIGNS FROM +PUBLISHED UNTIL\n/);
  for (const { d } of one.current()) expect(json.stdout + table.stdout).not.toContain(d);
  expect(json.stdout).not.toContain('v1.old.');
});

describe('remove', () => {
  test('a key that signs stays, a next one goes', async () => {
    const one = await suite.node();
    const [signing] = one.current();
    expect(await suite.keys(['remove', signing!.kid])).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('signs: replace it first'),
    });
    await suite.keys(['rotate']);
    const [next] = await inState('next');
    expect(await suite.keys(['remove', next!.kid], [])).toMatchObject({
      exitCode: 0,
      stdout: `removed ${next!.kid}\n`,
    });
    await until('the node knows', () => one.current().length === 3);
    expect(idsOf(one.current())).not.toContain(next!.kid);
    expect(await suite.events()).toContainEqual({
      action: 'REMOVE_SIGNING_KEY',
      subject: next!.kid,
    });
  });
});
