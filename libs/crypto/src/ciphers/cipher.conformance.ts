// The conformance suite of ciphers. The spec of each cipher runs it, and adds layouts and vectors.
import { beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { anyText } from '../../../../test/support/any-text.js';
import { undecryptable, type Cipher } from './cipher.js';

export interface CipherConformance {
  readonly open: () => Promise<Cipher>;
  /** The same cipher with another key. */
  readonly openAnother: () => Promise<Cipher>;
  /** Whether it detects every change of a text. Others may decrypt a changed text to other bytes. */
  readonly isAuthenticated: boolean;
  /** Maps equivalent spellings of a text to one; by default each text has a single spelling. */
  readonly canonical?: (text: string) => string;
  /** Examples per property: fewer where each derives a key. */
  readonly runs?: number;
}

const REFUSED = 'refused';
const SECRET = Buffer.from('S\u00e9cret \u{1f5dd} of 21 bytes');

/** The decrypted bytes in hex; {@link REFUSED} for the only error that a cipher may throw. */
async function readingOf(cipher: Cipher, text: string): Promise<string> {
  try {
    return (await cipher.decrypt(text)).toString('hex');
  } catch (error) {
    expect(error).toEqual(undecryptable());
    expect(error).toHaveProperty('code', 'TEXT_UNDECRYPTABLE');
    return REFUSED;
  }
}

/** Places of bits to flip. */
const changes = fc.array(fc.nat(), { minLength: 1, maxLength: 3 });

function flipBits(text: string, places: readonly number[]): string {
  const bytes = Buffer.from(text, 'latin1');
  for (const place of places) {
    const at = (place >>> 3) % bytes.length;
    bytes[at] = (bytes[at] ?? 0) ^ (1 << (place & 7));
  }
  return bytes.toString('latin1');
}

export function conformsToCipher(options: CipherConformance): void {
  const { canonical = (text) => text, runs = 100 } = options;
  let cipher: Cipher;
  let secretText: string;

  beforeAll(async () => {
    cipher = await options.open();
    secretText = await cipher.encrypt(SECRET);
  });

  /** Expects an error of an authenticated cipher, and other bytes than `plain` at least of any other. */
  async function expectUnread(text: string, plain: Uint8Array): Promise<void> {
    const reading = await readingOf(cipher, text);
    expect(reading).not.toBe(Buffer.from(plain).toString('hex'));
    if (options.isAuthenticated) {
      expect(reading).toBe(REFUSED);
    }
  }

  describe('as a cipher', () => {
    test.each([
      ['nothing', ''],
      ['one space', ' '],
      ['one letter', 'a'],
      ['one byte in hexadecimal', 'ff'],
      ['one byte in Base64', '/w=='],
      ['padding alone', '===='],
      ['a prefix alone', 'v1.'],
      ['an empty value', 'v1.k.'],
      ['a letter of no alphabet', '!'.repeat(64)],
      ['a NUL', '\0'],
      ['letters beyond Latin', '\u20ac'.repeat(64)],
      ['a lone surrogate', '\ud800'.repeat(64)],
      ['a name of objects', '__proto__'],
      ['64 KiB of junk', '\u20ac!'.repeat(32_768)],
    ])('refuses %s', async (_what, text) => {
      expect(await readingOf(cipher, text)).toBe(REFUSED);
    });

    test.each([
      ['its prefix in front', (text: string) => `{cipher}${text}`],
      ['a NUL behind it', (text: string) => `${text}\0`],
      ['a letter of no alphabet behind it', (text: string) => `${text}!`],
      ['itself behind it', (text: string) => `${text}:${text}`],
      [
        'a letter beyond Latin in its midst',
        (text: string) => `${text.slice(0, 20)}\u0141${text.slice(21)}`,
      ],
    ])('refuses a text with %s', async (_what, change) => {
      expect(await readingOf(cipher, change(secretText))).toBe(REFUSED);
    });

    test('refuses any string', async () => {
      const property = fc.asyncProperty(anyText({ maxLength: 200 }), async (text) => {
        await expectUnread(text, SECRET);
      });
      await fc.assert(property, { numRuns: runs });
    });

    test('does not decrypt a text of another key', async () => {
      const another = await options.openAnother();
      await expectUnread(await another.encrypt(SECRET), SECRET);
    });

    test('does not decrypt a text with changed bits to its value', async () => {
      const property = fc.asyncProperty(changes, async (places) => {
        const changed = flipBits(secretText, places);
        if (canonical(changed) !== canonical(secretText)) {
          await expectUnread(changed, SECRET);
        }
      });
      await fc.assert(property, { numRuns: runs });
    });

    test('does not decrypt a part of a text to its value', async () => {
      const property = fc.asyncProperty(fc.nat(), fc.nat(), async (from, to) => {
        const part = secretText.slice(from % secretText.length, to % secretText.length);
        const front = secretText.slice(0, to % secretText.length);
        for (const cut of [part, front]) {
          if (canonical(cut) !== canonical(secretText)) {
            await expectUnread(cut, SECRET);
          }
        }
      });
      await fc.assert(property, { numRuns: runs });
    });

    test('decrypts every sequence of bytes to itself', async () => {
      const property = fc.asyncProperty(fc.uint8Array({ maxLength: 80 }), async (plain) => {
        expect(await cipher.decrypt(await cipher.encrypt(plain))).toEqual(Buffer.from(plain));
      });
      await fc.assert(property, { numRuns: runs, examples: [[new Uint8Array()]] });
    });

    test.each([15, 16, 17, 65_536])('decrypts %i bytes to themselves', async (length) => {
      const plain = Buffer.alloc(length, 0xc3);
      const decrypted = await cipher.decrypt(await cipher.encrypt(plain));
      expect(Buffer.compare(decrypted, plain)).toBe(0);
    });

    test('decrypts many texts concurrently, each to its own value', async () => {
      const plains = Array.from({ length: 20 }, (_, index) => Buffer.from([index]));
      const texts = await Promise.all(plains.map((plain) => cipher.encrypt(plain)));
      expect(await Promise.all(texts.map((text) => cipher.decrypt(text)))).toEqual(plains);
    });

    test('writes no text twice, and none that a settings file must quote', async () => {
      const again = await cipher.encrypt(SECRET);
      expect(again).not.toBe(secretText);
      expect(again).toMatch(/^[A-Za-z0-9+/=._-]+$/);
    });
  });
}
