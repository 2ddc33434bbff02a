import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { inspect } from 'node:util';
import { describe, expect, jest, test } from '@jest/globals';
import fc from 'fast-check';
import { undecryptable } from '../ciphers/cipher.js';
import { EnvelopeCipher } from '../ciphers/envelope-cipher.js';
import { SpringRsaCipher } from '../ciphers/spring-rsa-cipher.js';
import { SpringTextCipher } from '../ciphers/spring-text-cipher.js';
import { KeyRing } from './key-ring.js';
import { envelopeRingKey, passwordRingKey, rsaRingKey, type RingKey } from './ring-key.js';

const SECRET = Buffer.from('Sécret');
const PASSWORD = { alias: 'default', password: 'a password', salt: 'deadbeef' } as const;
const RSA = { padding: 'DEFAULT', strong: false, salt: 'deadbeef' } as const;
const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 1024 });

const oldBytes = randomBytes(32);
const newest = envelopeRingKey({ kid: 'new', key: randomBytes(32) });
const old = envelopeRingKey({ kid: 'old', key: oldBytes });
const password = await passwordRingKey({ ...PASSWORD, format: 'aes-gcm' });
const cbc = await passwordRingKey({ ...PASSWORD, format: 'spring' });
const gcm = await passwordRingKey({ ...PASSWORD, format: 'spring-gcm' });
const rsa = rsaRingKey('Rsa', privateKey, RSA);
const otherRsa = rsaRingKey('other', privateKey, RSA);
const kinds = { envelope: old, password, 'Spring CBC': cbc, 'Spring GCM': gcm, RSA: rsa };

const full = new KeyRing([newest, old, cbc, rsa]);

function written(key: RingKey, alias?: string): Promise<string> {
  return new KeyRing([key]).encrypt(SECRET, alias);
}

describe('a text that no key can read', () => {
  const changed = (text: string) => `${text.slice(0, -1)}${text.endsWith('A') ? 'Q' : 'A'}`;
  const foreign = envelopeRingKey({ kid: 'foreign', key: randomBytes(32) });
  const fakeServer = envelopeRingKey({ kid: 'old', key: randomBytes(32) });

  test.each<[string, () => Promise<string> | string]>([
    ['nothing', () => ''],
    ['an unknown kid', () => written(foreign)],
    ['a known kid and another key', () => written(fakeServer)],
    ['a changed end', async () => changed(await written(old))],
    ['half of it', async () => (await written(old)).slice(0, 20)],
    ['bad hexadecimal digits', async () => `${await written(gcm)}g`],
    ['half a byte', async () => `${await written(gcm)}0`],
    ['bad base64', async () => `${await written(rsa)}!`],
    ['an unknown alias', async () => `{key:nobody}${await written(old)}`],
    ['an empty alias', async () => `{key:}${await written(old)}`],
    ["another key's alias", async () => `{key:new}${await written(old)}`],
    ['an alias of a key of another kind', async () => `{key:rsa}${await written(old)}`],
    ['an unknown selector', async () => `{foo:bar}${await written(old)}`],
    ['a prefix', async () => `{cipher}${await written(old)}`],
  ])('is refused as any other: %s', async (_what, text) => {
    await expect(full.decrypt(await text())).rejects.toEqual(undecryptable());
    await expect(new KeyRing([]).decrypt(await text())).rejects.toEqual(undecryptable());
  });

  // Running only the ciphers of the form revealed by its time the form, the alias and the kid.
  test.each<[string, () => Promise<string> | string]>([
    ['nothing', () => ''],
    ['an unknown kid', () => 'v1.foreign.AAAA'],
    ['a known kid', () => 'v1.old.AAAA'],
    ['hexadecimal digits', () => 'abcd'],
    ['base64', () => 'AAAA'],
    ['anything else', () => 'junk!'],
    ['an unknown alias', () => '{key:nobody}v1.new.AAAA'],
    ['an alias of somebody', () => '{key:rsa}abcd'],
    ['what another key reads', async () => `{key:new}${await written(old)}`],
    ['what another key of another kind reads', async () => `{key:new}${await written(rsa)}`],
    ['a text of other keys with an unknown alias', async () => `{key:nobody}${await written(cbc)}`],
  ])('takes the work of every cipher, each once: %s', async (_what, text) => {
    const given = await text();
    const prototypes = [EnvelopeCipher.prototype, SpringTextCipher.prototype];
    const spies = [...prototypes, SpringRsaCipher.prototype].map((one) =>
      jest.spyOn(one, 'decrypt'),
    );
    await expect(full.decrypt(given)).rejects.toEqual(undecryptable());
    const [envelopes = [], texts = [], rsas = []] = spies.map(({ mock }) => mock.contexts);
    jest.restoreAllMocks();
    expect([envelopes.length, texts.length, rsas.length]).toEqual([3, 2, 1]);
    expect(new Set([...envelopes, ...texts, ...rsas]).size).toBe(6);
  });

  test('is refused whatever it is', async () => {
    const utf16 = fc.uint8Array().map((bytes) => Buffer.from(bytes).toString('utf16le'));
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.string(), fc.base64String(), utf16), async (text) => {
        await expect(full.decrypt(text)).rejects.toEqual(undecryptable());
      }),
      { numRuns: 50 },
    );
  });

  test('is not confused with an internal error', async () => {
    const fault = new Error('no memory');
    const readers = new Map([
      ['hex', [{ ...old.encryptor, decrypt: () => Promise.reject(fault) }]],
    ]);
    const ring = new KeyRing([{ ...old, decryptors: readers as unknown as RingKey['decryptors'] }]);
    await expect(ring.decrypt('abcd')).rejects.toBe(fault);
  });
});

describe('a key ring', () => {
  test('does not encrypt with an unknown key', async () => {
    const unknown = { code: 'KEY_UNKNOWN', message: 'no such key' };
    await expect(full.encrypt(SECRET, 'nobody')).rejects.toMatchObject(unknown);
    await expect(full.encrypt(SECRET, '')).rejects.toMatchObject(unknown);
  });

  test('without a key reports it', async () => {
    const empty = new KeyRing([]);
    expect(empty.isEmpty).toBe(true);
    expect(empty.publicKey()).toBeUndefined();
    await expect(empty.encrypt(SECRET)).rejects.toMatchObject({
      code: 'KEY_UNKNOWN',
      message: 'no key is configured',
    });
  });

  test('refuses two keys of one alias', () => {
    const twin = envelopeRingKey({ kid: 'OLD', key: randomBytes(32) });
    expect(() => new KeyRing([newest, old, twin])).toThrow('two keys are called OLD');
  });

  test.each(Object.entries(kinds))('decrypts what it encrypts with %s', async (_kind, key) => {
    const ring = new KeyRing([key]);
    await fc.assert(
      fc.asyncProperty(fc.uint8Array(), async (plain) => {
        expect(await ring.decrypt(await ring.encrypt(plain))).toEqual(Buffer.from(plain));
      }),
      { numRuns: 10 },
    );
  });

  test('encrypts with the newest key, and decrypts texts of each older one', async () => {
    expect(await full.encrypt(SECRET)).toMatch(/^v1\.new\./);
    for (const key of Object.values(kinds)) {
      const ring = new KeyRing([newest, key]);
      expect(await ring.decrypt(await written(key))).toEqual(SECRET);
    }
  });

  test('tries keys with texts of the same form in turn', async () => {
    const another = generateKeyPairSync('rsa', { modulusLength: 1024 }).privateKey;
    const strong = { ...RSA, strong: true };
    const second = rsaRingKey('second', privateKey, strong);
    const ring = new KeyRing([rsaRingKey('first', another, strong), second]);
    expect(await ring.decrypt(await written(second))).toEqual(SECRET);
  });

  test.each(['aes-gcm', 'spring', 'spring-gcm'] as const)(
    'reads every form of a password, the one it writes being %s',
    async (format) => {
      const ring = new KeyRing([await passwordRingKey({ ...PASSWORD, format })]);
      for (const key of [password, cbc, gcm]) {
        expect(await ring.decrypt(await written(key))).toEqual(SECRET);
      }
    },
  );

  test('uses the key with the given alias, case-insensitive', async () => {
    const text = await full.encrypt(SECRET, 'RSA');
    expect(text).toMatch(/^[A-Za-z0-9+/]+=*$/);
    expect(await full.decrypt(`{key:rsA}${text}`)).toEqual(SECRET);
    expect(await full.decrypt(`{name:a}{profiles:b}${text}`)).toEqual(SECRET);
    expect(await full.decrypt(text)).toEqual(SECRET);
  });

  test('has the public key of its first RSA key, and of the one with the alias', () => {
    expect(full.publicKey()).toMatch(/^ssh-rsa [A-Za-z0-9+/]+=* application$/);
    expect(full.publicKey('rsa')).toBe(full.publicKey());
    expect(full.publicKey('old')).toBeUndefined();
    expect(full.publicKey('nobody')).toBeUndefined();
  });

  test('lists its RSA keys that are too short for new values', () => {
    const long = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
    const ring = new KeyRing([newest, cbc, rsaRingKey('long', long, RSA), rsa]);
    expect(ring.weakKeys).toEqual([{ alias: 'Rsa', bits: 1024 }]);
  });

  test('reveals no key when it is printed', () => {
    const shown = `${inspect(full, { depth: 20, showHidden: true })}${JSON.stringify(full)}${full}`;
    const { d = '' } = privateKey.export({ format: 'jwk' });
    for (const form of ['hex', 'base64', 'base64url'] as const) {
      expect(shown).not.toContain(oldBytes.toString(form).slice(0, 8));
    }
    expect(shown).not.toContain(inspect(oldBytes).slice(8, 20));
    expect(shown).not.toContain(PASSWORD.password);
    expect(shown).not.toContain(d.slice(0, 16));
    expect(full.aliases).toEqual(['new', 'old', 'default', 'Rsa']);
    expect(inspect([newest, old, cbc, rsa], { depth: 20, showHidden: true })).not.toContain(
      inspect(oldBytes).slice(8, 20),
    );
  });
});

describe('the alias of a text', () => {
  test.each<[string, readonly RingKey[], () => Promise<string>, string | undefined]>([
    ['is the id of its key', [newest, old], () => written(old), 'old'],
    [
      'is that of the password whose key id it has',
      [old, password],
      () => written(password),
      'default',
    ],
    ['is that of the only key of its form', [old, cbc, rsa], () => written(rsa), 'Rsa'],
    ['is in the spelling of the key', [old], async () => `{key:OLD}${await written(old)}`, 'old'],
    [
      'is unknown where two keys have its form',
      [cbc, otherRsa, rsa],
      () => written(rsa),
      undefined,
    ],
    [
      'is the one that it names, where two keys have its form',
      [cbc, otherRsa, rsa],
      async () => `{key:rsa}${await written(rsa)}`,
      'Rsa',
    ],
    ['is unknown where no key has its form', [newest, rsa], () => written(old), undefined],
    [
      'is unknown where it names another key',
      [newest, old],
      async () => `{key:new}${await written(old)}`,
      undefined,
    ],
  ])('%s', async (_rule, keys, text, alias) => {
    expect(new KeyRing(keys).aliasOf(await text())).toBe(alias);
  });
});
