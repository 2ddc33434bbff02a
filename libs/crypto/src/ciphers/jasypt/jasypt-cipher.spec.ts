import { inspect } from 'node:util';
import { describe, expect, test } from '@jest/globals';
import { cipherVectors } from '../../../../../test/support/cipher-vectors.js';
import { conformsToCipher } from '../cipher.conformance.js';
import { JasyptCipher, type JasyptOptions } from './jasypt-cipher.js';

const PASSWORD = 'P@$$w0rd';

const read = async (options: JasyptOptions, text: string) =>
  (await JasyptCipher.open(options).decrypt(text)).toString('utf8');

describe('refuses to be opened', () => {
  test.each<[string, Partial<JasyptOptions>, string, RegExp]>([
    [
      'with an unknown algorithm',
      { algorithm: 'PBEWithX' },
      'CIPHER_UNSUPPORTED',
      /"PBEWithX".* PBEWithMD5AndDES, /,
    ],
    ['with a name of objects', { algorithm: '__proto__' }, 'CIPHER_UNSUPPORTED', /"__proto__"/],
    ['with an unknown provider', { provider: 'IBMJCE' }, 'CIPHER_UNSUPPORTED', /"IBMJCE".* SunJCE/],
    ['without iterations', { iterations: 0 }, 'CIPHER_UNSUPPORTED', /^iterations/],
    ['with half an iteration', { iterations: 1.5 }, 'CIPHER_UNSUPPORTED', /^iterations/],
    [
      'with iterations that are no number',
      { iterations: Number.NaN },
      'CIPHER_UNSUPPORTED',
      /^iterations/,
    ],
    ['with too many iterations', { iterations: 10_000_001 }, 'CIPHER_UNSUPPORTED', /10000000/],
    [
      'without a vector where one is needed',
      { algorithm: 'PBEWithHmacSHA1AndAES_256', hasIvGenerator: false },
      'CIPHER_UNSUPPORTED',
      /IV generator/,
    ],
    ['without a password', { password: '' }, 'KEY_UNUSABLE', /password/],
  ])('%s', (_what, options, code, message) => {
    const open = () =>
      JasyptCipher.open({ algorithm: 'PBEWithMD5AndDES', password: PASSWORD, ...options });
    expect(open).toThrow(
      expect.objectContaining({ code, message: expect.stringMatching(message) }),
    );
  });
});

describe('a text of Jasypt is decrypted', () => {
  const rows = cipherVectors('jasypt').map((row, index) => ({ ...row, index }));
  const isSlow = ({ iterations }: { iterations: string }) => iterations === '5000';
  const optionsOf = (row: (typeof rows)[number]) => ({
    algorithm: row.alg,
    password: row.password,
    iterations: Number(row.iterations),
    hasIvGenerator: row.iv === 'true',
    provider: row.provider,
  });

  // Each algorithm has rows of fewer iterations, so these are not encrypted again, which takes long.
  test.each(rows.filter(isSlow))('$index: $alg $provider, $iterations, iv $iv', async (row) => {
    expect(await read(optionsOf(row), row.cipher)).toBe(row.plain);
  });

  test.each(rows.filter((row) => !isSlow(row)))(
    '$index: $alg $provider, $iterations, iv $iv, and encrypted again',
    async (row) => {
      const options = optionsOf(row);
      expect(await read(options, row.cipher)).toBe(row.plain);
      const again = await JasyptCipher.open(options).encrypt(Buffer.from(row.plain));
      expect(again).toHaveLength(row.cipher.length);
      expect(await read(options, again)).toBe(row.plain);
    },
  );
});

test('printing a cipher does not reveal its password', () => {
  const cipher = JasyptCipher.open({ algorithm: 'PBEWithMD5AndDES', password: PASSWORD });
  const shown = inspect(cipher, { depth: 9, showHidden: true }) + JSON.stringify(cipher);
  const bytes = Buffer.from(PASSWORD);
  expect(shown).not.toContain(PASSWORD);
  expect(shown).not.toContain(inspect(bytes).slice('<Buffer '.length, -1));
  expect(shown).not.toContain([...bytes].join());
});

describe('a text', () => {
  const options = { algorithm: 'PBEWithMD5AndDES', password: PASSWORD, iterations: 1 };

  test('may have white space in it, as from tools that break lines', async () => {
    const text = await JasyptCipher.open(options).encrypt(Buffer.from('x'));
    expect(await read(options, ` ${text.slice(0, 5)}\r\n\t${text.slice(5)}\n`)).toBe('x');
  });

  test('is read with a password that is the same by NFC', async () => {
    const composed = JasyptCipher.open({ ...options, password: 'p\u00e4ss' });
    const text = await composed.encrypt(Buffer.from('x'));
    expect(await read({ ...options, password: 'pa\u0308ss' }, text)).toBe('x');
  });

  test('is written with 1,000 iterations by default', async () => {
    const { iterations: _one, ...defaults } = options;
    const text = await JasyptCipher.open(defaults).encrypt(Buffer.from('x'));
    expect(await read({ ...options, iterations: 1000 }, text)).toBe('x');
  });

  test('does not block the event loop while its key is derived', async () => {
    let turns = 0;
    const timer = setInterval(() => (turns += 1), 1);
    await JasyptCipher.open({ ...options, iterations: 100_000 }).encrypt(Buffer.from('x'));
    clearInterval(timer);
    expect(turns).toBeGreaterThan(2);
  });

  test('costs a derivation even if it is malformed', async () => {
    const slow = JasyptCipher.open({ ...options, iterations: 100_000 });
    const timeOf = async (text: string) => {
      const start = performance.now();
      await expect(slow.decrypt(text)).rejects.toMatchObject({ code: 'TEXT_UNDECRYPTABLE' });
      return performance.now() - start;
    };
    const wrong = await timeOf(Buffer.alloc(24).toString('base64'));
    expect(await timeOf('no text')).toBeGreaterThan(wrong / 5);
  });
});

describe.each<[string, Omit<JasyptOptions, 'password'>, number]>([
  ['PBEWithMD5AndDES', { algorithm: 'PBEWithMD5AndDES' }, 0],
  ['PBEWithMD5AndDES with IV', { algorithm: 'PBEWithMD5AndDES', hasIvGenerator: true }, 8],
  ['PBEWithMD5AndTripleDES', { algorithm: 'PBEWithMD5AndTripleDES' }, 0],
  ['PBEWithSHA1AndRC2_40', { algorithm: 'PBEWithSHA1AndRC2_40' }, 0],
  ['PBEWithSHA1AndRC4_128', { algorithm: 'PBEWithSHA1AndRC4_128' }, 0],
  ['PBEWITHSHA256AND256BITAES-CBC-BC', { algorithm: 'PBEWITHSHA256AND256BITAES-CBC-BC' }, 0],
  ['PBEWITHHMACSHA512ANDAES_256', { algorithm: 'PBEWITHHMACSHA512ANDAES_256' }, 0],
])('%s', (_name, options, unreadIvBytes) => {
  const open = (password: string) =>
    Promise.resolve(JasyptCipher.open({ ...options, password, iterations: 2 }));

  conformsToCipher({
    open: () => open(PASSWORD),
    openAnother: () => open('Mellon'),
    isAuthenticated: false,
    runs: 20,
    // Without padding, and without a stored IV that is also derived.
    canonical: (text) => {
      const bytes = Buffer.from(text, 'base64');
      const isBase64 = bytes.toString('base64').replaceAll('=', '') === text.replaceAll('=', '');
      bytes.subarray(8, 8 + unreadIvBytes).fill(0);
      return isBase64 ? bytes.toString('base64') : text;
    },
  });
});
