import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type EnvelopeKey, newKeyFile, parseEnvelopeKey } from '@tessera/crypto';
import { KeySealing, openKeySealing } from './key-sealing.js';
import { newSigningKey, type SigningKey, thumbprint } from './signing-key.js';

const keyOf = (kid: string): EnvelopeKey => parseEnvelopeKey(newKeyFile(kid).trim())!;
const [OLD, NEW] = [keyOf('old'), keyOf('new')];

let directory: string;
let key: SigningKey;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'tessera-sealing-'));
  key = await newSigningKey('ES256');
});
afterAll(() => rm(directory, { recursive: true }));

test('what is sealed opens as it was, and not otherwise', async () => {
  const sealing = new KeySealing([NEW], 'x');
  await fc.assert(
    fc.asyncProperty(fc.string({ minLength: 1 }), fc.nat(), async (kid, at) => {
      const sealed = await sealing.seal({ ...key, kid });
      expect(await sealing.open(kid, sealed)).toEqual({ ...key, kid });
      await expect(sealing.open(`${kid}x`, sealed)).rejects.toThrow('opens the signing key');
      const place = at % sealed.length;
      const other = sealed[place] === 'A' ? 'B' : 'A';
      const changed = sealed.slice(0, place) + other + sealed.slice(place + 1);
      await expect(sealing.open(kid, changed)).rejects.toThrow('opens the signing key');
    }),
  );
});

test('the first key seals, and all open', async () => {
  const before = await new KeySealing([OLD], 'x').seal(key);
  const both = new KeySealing([NEW, OLD], 'x');
  expect(await both.open(key.kid, before)).toEqual(key);
  expect(await both.seal(key)).toMatch(/^v1\.new\./);
  await expect(new KeySealing([NEW], 'x').open(key.kid, before)).rejects.toMatchObject({
    code: 'SIGNING_KEY_SEALED',
  });
});

describe('without keys in the settings', () => {
  test('a database of your own is refused, naming the setting', async () => {
    await expect(openKeySealing({ sealingKeys: [], generatesKey: false })).rejects.toMatchObject({
      code: 'SEALING_KEY_MISSING',
      message: expect.stringContaining('sso.oidc.sealing-keys must be set'),
    });
  });

  test('the embedded database has one key in a private file, for all that start at once', async () => {
    const dataDirectory = join(directory, 'made');
    const options = { sealingKeys: [], generatesKey: true, dataDirectory };
    const [one, other] = await Promise.all([openKeySealing(options), openKeySealing(options)]);
    expect(await other.open(key.kid, await one.seal(key))).toEqual(key);
    const path = join(dataDirectory, 'oidc-sealing.key');
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(await readFile(path, 'utf8')).toMatch(/^# made for development.*\nv1\./);
  });

  test('a file of another kind is refused, naming it', async () => {
    await writeFile(join(directory, 'oidc-sealing.key'), 'x', { mode: 0o600 });
    const options = { sealingKeys: [], generatesKey: true, dataDirectory: directory };
    await expect(openKeySealing(options)).rejects.toThrow(join(directory, 'oidc-sealing.key'));
  });
});

test('the id of a key is the thumbprint of RFC 7638 §3.1', () => {
  const n =
    '0vx7agoebGcQSuuPiLJXZptN9nndrQmbXEps2aiAFbWhM78LhWx4cbbfAAtVT86zwu1RK7aPFFxuhDR1L6tSoc_BJECPebWKRXjBZCiFV4n3oknjhMstn64tZ_2W-5JsGY4Hc5n9yBXArwl93lqt7_RN5w6Cf0h4QyQ5v-65YGjQR0_FDW2QvzqY368QQMicAtaSqzs8KJZgnYb9c7d0zgdAZHzu6qMQvRL5hajrn1n91CbOpbISD08qNLyrdkt-bFTWhAI4vMQFh6WeZu0fM4lFd2NcRwr3XPksINHaQ-G_xBniIqbw0Ls1jF44-csFCur-kEgU8awapJzKnqDKgw';
  expect(thumbprint({ kty: 'RSA', n, e: 'AQAB', alg: 'RS256', kid: '2011-04-29' })).toBe(
    'NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs',
  );
});
