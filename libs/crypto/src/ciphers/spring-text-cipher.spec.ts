import { describe, expect, test } from '@jest/globals';
import { cipherVectors } from '../../../../test/support/cipher-vectors.js';
import { conformsToCipher } from './cipher.conformance.js';
import { SpringTextCipher, type SpringTextOptions } from './spring-text-cipher.js';

const OPTIONS = { password: 'foo', salt: 'deadbeef', kind: 'text' } as const;
const refusal = { code: 'TEXT_UNDECRYPTABLE' };

function open(options: Partial<SpringTextOptions> = {}): Promise<SpringTextCipher> {
  return SpringTextCipher.open({ ...OPTIONS, ...options });
}

describe.each([
  ['text', false],
  ['delux', true],
] as const)('Spring\u2019s %s', (kind, isAuthenticated) => {
  conformsToCipher({
    open: () => open({ kind }),
    openAnother: () => open({ kind, password: 'Foo' }),
    isAuthenticated,
    canonical: (text) => text.toLowerCase(),
    runs: 100,
  });

  test.each(cipherVectors(kind))('reads $cipher', async ({ password, salt, plain, cipher }) => {
    const opened = await open({ kind, password, salt });
    expect((await opened.decrypt(cipher)).toString()).toBe(plain);
    expect((await opened.decrypt(cipher.toUpperCase())).toString()).toBe(plain);
  });

  test.each([
    ['an IV and nothing else', '00'.repeat(16)],
    ['less than an IV', '00'.repeat(15)],
    ['part of a block', '00'.repeat(31)],
  ])('refuses %s', async (_what, text) => {
    const cipher = await open({ kind });
    await expect(cipher.decrypt(text)).rejects.toMatchObject(refusal);
  });

  test('refuses texts of the other kind', async () => {
    const other = await open({ kind: kind === 'text' ? 'delux' : 'text' });
    const cipher = await open({ kind });
    // 5 bytes, so that with a tag they are not whole blocks.
    const text = await other.encrypt(Buffer.from('hello'));
    await expect(cipher.decrypt(text)).rejects.toMatchObject(refusal);
  });

  test('derives another key of another salt', async () => {
    const text = await (await open({ kind, salt: 'cafe' })).encrypt(Buffer.from('hello'));
    const cipher = await open({ kind });
    const reading = await cipher.decrypt(text).catch(() => 'refused');
    expect(reading.toString()).not.toBe('hello');
  });

  test.each(['', 'abc', 'salt', 'dead beef'])(
    'cannot be opened with the salt «%s»',
    async (salt) => {
      await expect(open({ kind, salt })).rejects.toMatchObject({ code: 'KEY_UNUSABLE' });
    },
  );
});

test('a key that decrypts zeros still refuses malformed digits', async () => {
  const cipher = await open({ password: 'p181' });
  expect(await cipher.decrypt('00'.repeat(32))).toHaveLength(15);
  await expect(cipher.decrypt('!!'.repeat(32))).rejects.toMatchObject(refusal);
});

describe('the layout', () => {
  test.each([
    ['text', 0, 16 + 16],
    ['text', 15, 16 + 16],
    ['text', 16, 16 + 32],
    ['delux', 0, 16 + 0 + 16],
    ['delux', 17, 16 + 17 + 16],
  ] as const)('of %s with %i bytes has %i, in lowercase digits', async (kind, plain, length) => {
    const text = await (await open({ kind })).encrypt(Buffer.alloc(plain));
    expect(text).toMatch(/^[0-9a-f]+$/);
    expect(text).toHaveLength(2 * length);
  });
});
