import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { ecJwk, idsOf, rsaJwk, SigningKeySuite } from '../../../../test/support/signing-keys.js';

const DAY = 86_400_000;

let suite: SigningKeySuite;
beforeAll(async () => {
  suite = await SigningKeySuite.open();
});
afterAll(() => suite.close());
beforeEach(() => suite.clear());

describe('import', () => {
  test('before the first start, the keys of Apereo CAS sign under their ids', async () => {
    const former = { ...rsaJwk(), kid: 'cas-0', state: 2 };
    const path = await suite.file({ ...rsaJwk(), kid: 'cas-1' }, former, {
      ...rsaJwk(),
      kid: 'e',
      use: 'enc',
    });
    const { exitCode, stdout } = await suite.keys(['import', path]);
    expect(exitCode).toBe(0);
    expect(stdout.split('\n')).toEqual([
      'cas-1: signs RS256',
      expect.stringMatching(/^cas-0: RS256, published until 20/),
      'e: skipped, it is for encryption',
      'imported 2, unchanged 0, skipped 1',
      '',
    ]);
    const started = (await suite.node()).current();
    expect(started.map(({ alg }) => alg)).toEqual(['RS256', 'ES256', 'RS256']);
    expect([started[0]?.kid, started[2]?.kid]).toEqual(['cas-1', 'cas-0']);
    expect(started[2]?.n).toBe(former.n);
    expect(await suite.events()).toEqual([
      {
        action: 'IMPORT_SIGNING_KEYS',
        subject: path,
        added: ['cas-1', 'cas-0'],
        skipped: 1,
        verifyOnly: false,
      },
    ]);
  });

  test('of two current keys, the first signs', async () => {
    await suite.keys([
      'import',
      await suite.file({ ...ecJwk(), kid: 'b' }, { ...ecJwk(), kid: 'a' }),
    ]);
    const stored = await suite.store.readAll();
    expect(stored.map(({ kid, state }) => [kid, state])).toEqual([
      ['b', 'signs'],
      ['a', 'published'],
    ]);
  });

  test('later, all nodes publish them before they sign', async () => {
    await suite.node();
    await suite.keys(['import', await suite.file({ ...ecJwk(), kid: 'cas-2' })]);
    expect(idsOf((await suite.store.readAll()).filter(({ state }) => state === 'next'))).toEqual([
      'cas-2',
    ]);
  });

  test('--verify-only publishes them for 30 days', async () => {
    await suite.node();
    const path = await suite.file({ ...ecJwk(), kid: 'cas-3' });
    const { stdout } = await suite.keys(['import', path, '--verify-only', '--json']);
    const report = JSON.parse(stdout);
    expect(report).toMatchObject({
      added: [{ kid: 'cas-3', state: 'published', signsFrom: null }],
      unchanged: [],
      skipped: [],
    });
    expect(Date.parse(report.added[0].publishedUntil)).toBeGreaterThan(Date.now() + 29 * DAY);
  });

  test('again, nothing changes; another key of an id is refused', async () => {
    const key = { ...ecJwk(), kid: 'cas-4' };
    await suite.keys(['import', await suite.file(key)]);
    const { stdout } = await suite.keys(['import', await suite.file(key)]);
    expect(stdout).toBe(
      'cas-4: was here before, signs ES256\nimported 0, unchanged 1, skipped 0\n',
    );
    const other = await suite.keys([
      'import',
      await suite.file({ ...ecJwk(), kid: 'new' }, { ...ecJwk(), kid: 'cas-4' }),
    ]);
    expect(other).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('there is another signing key with the id cas-4 already'),
    });
    expect(idsOf(await suite.store.readAll())).toEqual(['cas-4']);
    expect(await suite.events()).toHaveLength(1);
  });

  test('a file without keys to import is refused, with the reasons', async () => {
    const { exitCode, stderr } = await suite.keys([
      'import',
      await suite.file({ kty: 'oct', kid: 'o', k: 'c2Vj' }),
    ]);
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/has no key to import\no: skipped, it is neither an RSA key/);
    expect(stderr).not.toContain('c2Vj');
  });

  test('an incomplete private key refuses the file, and is not repeated', async () => {
    const key = rsaJwk();
    const { exitCode, stderr } = await suite.keys([
      'import',
      await suite.file({ ...key, qi: undefined, kid: 'a' }, ecJwk()),
    ]);
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/the private key a is incomplete or invalid$/m);
    expect(stderr).not.toContain(key.d);
    expect(await suite.store.readAll()).toEqual([]);
  });
});
