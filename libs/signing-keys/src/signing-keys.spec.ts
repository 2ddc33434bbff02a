import { createPublicKey, sign, verify } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { newKeyFile, parseEnvelopeKey } from '@tessera/crypto';
import { Announcements } from '@tessera/database';
import { configureLogging } from '@tessera/logging';
import { createTestDatabase, type TestDatabase } from '../../../test/support/database.js';
import { until } from '../../../test/support/until.js';
import { KeySealing } from './key-sealing.js';
import { rotateSigningKeys } from './signing-key-changes.js';
import { newSigningKey, type SigningKey } from './signing-key.js';
import { PUBLISHED_FOR, SigningKeyStore } from './signing-key-store.js';
import { SigningKeys } from './signing-keys.js';

const NEVER = 3_600_000;
const MINUTE = 60_000;

let database: TestDatabase;
let store: SigningKeyStore;
const running: { stop(): Promise<void> }[] = [];

const sealingOf = (): KeySealing => new KeySealing([parseEnvelopeKey(newKeyFile().trim())!], 'x');
const sealing = sealingOf();

beforeAll(async () => {
  database = await createTestDatabase();
  store = new SigningKeyStore(database.dataSource.manager);
});
afterAll(() => database.drop());
beforeEach(() => database.dataSource.query('delete from signing_key'));
afterEach(async () => {
  for (const each of running.splice(0)) await each.stop();
});

function node(pollInterval = NEVER, own = sealing): SigningKeys {
  const announcements = new Announcements(database.dataSource);
  const keys = new SigningKeys(store, own, announcements, pollInterval);
  running.push(keys, announcements);
  announcements.start();
  return keys;
}

async function started(pollInterval?: number): Promise<SigningKeys> {
  const keys = node(pollInterval);
  await keys.start();
  return keys;
}

const idsOf = (keys: SigningKeys): readonly string[] => keys.current().map(({ kid }) => kid);

/** Stores an ES256 key. @param usableIn milliseconds; null: never */
async function add(kid: string, usableIn: number | null): Promise<void> {
  const key = { ...(await newSigningKey('ES256')), kid };
  await store.add({ key, usableIn }, sealing);
}

const statesOf = async () =>
  Object.fromEntries((await store.readAll()).map(({ kid, state }) => [kid, state]));

test('nodes that start at once make one key of each algorithm, which signs', async () => {
  const nodes = Array.from({ length: 5 }, () => node());
  await Promise.all(nodes.map((each) => each.start()));
  const [first] = nodes;
  expect(first?.current()).toMatchObject([
    { kty: 'RSA', alg: 'RS256', use: 'sig' },
    { kty: 'EC', crv: 'P-256', alg: 'ES256', use: 'sig' },
  ]);
  for (const each of nodes) expect(idsOf(each)).toEqual(idsOf(first!));
  expect(Object.values(await statesOf())).toEqual(['signs', 'signs']);
});

test.each(['RS256', 'ES256'] as const)(
  'a new key signs %s, and its public part verifies',
  async (alg) => {
    const key = await newSigningKey(alg);
    const signature = sign('sha256', Buffer.from('x'), { key, format: 'jwk' });
    const publicKey = createPublicKey({ key, format: 'jwk' });
    expect(verify('sha256', Buffer.from('x'), publicKey, signature)).toBe(true);
  },
);

test.each<[string, readonly (readonly [kid: string, usableIn: number | null])[], object]>([
  ['a key that is usable signs', [['a', 0]], { a: 'signs' }],
  [
    'the next one is published first',
    [
      ['a', -MINUTE],
      ['b', MINUTE],
    ],
    { a: 'signs', b: 'next' },
  ],
  [
    'the newest usable one signs',
    [
      ['a', -MINUTE],
      ['b', -1],
    ],
    { a: 'published', b: 'signs' },
  ],
  [
    'one that never signs is published',
    [
      ['a', 0],
      ['b', null],
    ],
    { a: 'signs', b: 'published' },
  ],
  [
    'two that wait take over in turn',
    [
      ['a', 0],
      ['b', MINUTE],
      ['c', 1_000],
    ],
    { a: 'signs', b: 'next', c: 'next' },
  ],
  [
    'an old key ends after its last token',
    [
      ['a', -NEVER - PUBLISHED_FOR],
      ['b', -MINUTE - PUBLISHED_FOR],
      ['c', 0],
    ],
    { b: 'published', c: 'signs' },
  ],
  ['a key without a successor never ends', [['a', -2 * PUBLISHED_FOR]], { a: 'signs' }],
])('%s', async (_, keys, states) => {
  for (const [kid, usableIn] of keys) await add(kid, usableIn);
  expect(await statesOf()).toEqual(states);
});

test('the cleaner removes what is published no more, and nothing else', async () => {
  await add('a', -2 * PUBLISHED_FOR);
  await add('b', -MINUTE - PUBLISHED_FOR);
  await add('c', -MINUTE);
  await add('d', null);
  await add('e', null);
  await database.dataSource.query(
    `update signing_key set created_at = now() - interval '31 days' where kid = 'e'`,
  );
  expect(await store.removeExpired()).toBe(2);
  expect(await statesOf()).toEqual({ b: 'published', c: 'signs', d: 'published' });
});

test('every node publishes a new key before one signs with it', async () => {
  const [one, other] = [await started(), await started()];
  const changes: string[] = [];
  other.onChange(() => changes.push(idsOf(other).join(' ')));
  const before = idsOf(one);
  await add('new', 1_500);
  const es256 = (keys: SigningKeys) => keys.current().filter(({ alg }) => alg === 'ES256');
  await until('both publish it', () => [one, other].every((each) => idsOf(each).includes('new')));
  expect(es256(one).map(({ kid }) => kid)).toEqual([before[1], 'new']);
  await until('both sign with it', () =>
    [one, other].every((each) => es256(each)[0]?.kid === 'new'),
  );
  expect(idsOf(other)).toHaveLength(3);
  expect(changes).toHaveLength(2);
});

test('what one node signs while keys are replaced, the other verifies', async () => {
  const [one, other] = [await started(), await started()];
  const text = Buffer.from('x');
  const signers = new Set<string>();
  const failed: string[] = [];
  const signOnce = (): void => {
    const key = one.current().find(({ alg }) => alg === 'ES256')!;
    const signature = sign('sha256', text, { key, format: 'jwk' });
    signers.add(key.kid);
    const published = other.current().find(({ kid }) => kid === key.kid);
    const isValid =
      published !== undefined &&
      verify('sha256', text, createPublicKey({ key: published, format: 'jwk' }), signature);
    if (!isValid) failed.push(key.kid);
  };
  await rotateSigningKeys(store, sealing, 1_000);
  await until('the new key signs', () => {
    for (let count = 0; count < 20; count += 1) signOnce();
    return signers.size === 2;
  });
  expect(failed).toEqual([]);
});

test('a node that heard nothing polls', async () => {
  const keys = new SigningKeys(store, sealing, { listen: () => {} }, 20);
  running.push(keys);
  await keys.start();
  await add('new', MINUTE);
  await until('it publishes the key', () => idsOf(keys).includes('new'));
});

test('a node of another sealing key does not start, and says which setting has not the key', async () => {
  await started();
  const other = new KeySealing([parseEnvelopeKey(newKeyFile().trim())!], 'sso.oidc.sealing-keys');
  await expect(node(NEVER, other).start()).rejects.toMatchObject({
    code: 'SIGNING_KEY_SEALED',
    message: expect.stringContaining('no key of sso.oidc.sealing-keys opens the signing key'),
  });
});

test('a node keeps its keys while it cannot open a new one', async () => {
  const lines: string[] = [];
  configureLogging({ application: 'test', levels: {}, write: (line) => lines.push(line) });
  const keys = await started(20);
  const before = idsOf(keys);
  const key = await newSigningKey('ES256');
  await store.add({ key, usableIn: 0 }, sealingOf());
  await until('it says so', () => lines.some((line) => line.includes('keeping those loaded')));
  expect(idsOf(keys)).toEqual(before);
  await database.dataSource.query('delete from signing_key where kid = $1', [key.kid]);
  await add('ours', 0);
  await until('it reads again', () => idsOf(keys).includes('ours'));
  expect(lines.join()).not.toContain(key.d);
});

test('no private part is in the database', async () => {
  const keys = await started();
  const dump = JSON.stringify(await database.dataSource.query('select * from signing_key'));
  const secrets = keys
    .current()
    .flatMap(({ d, p, q, dp, dq, qi }: SigningKey) => [d, p, q, dp, dq, qi]);
  const given = secrets.filter((each) => each !== undefined);
  expect(given).toHaveLength(7);
  for (const each of given) expect(dump).not.toContain(each);
  expect(dump).toContain(keys.current()[0]?.n);
});
