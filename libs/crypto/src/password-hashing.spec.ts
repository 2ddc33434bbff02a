import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { anyText } from '../../../test/support/any-text.js';
import { CryptoError } from './crypto-error.js';
import { PasswordHashing } from './password-hashing.js';

/** The minimum of argon2, so that tests are fast. */
const CHEAP = { memory: 8, iterations: 1, parallelism: 1 };
const SALT = 'c29tZXNhbHRzb21lc2FsdA';
const DIGEST = 'q90132rFwP9mO3h+CFn5uu33ajUjcR++A9o1D4J9VNw';
const hashing = new PasswordHashing(CHEAP);

describe('settings of PasswordHashing', () => {
  test.each([
    ['no memory', { memory: 0 }],
    ['gigabytes of memory', { memory: 4 * 1024 * 1024 }],
    ['less memory than its lanes need', { memory: 8, parallelism: 2 }],
    ['a fraction of an iteration', { iterations: 1.5 }],
    ['no iteration', { iterations: 0 }],
    ['many passes over much memory', { memory: 256 * 1024, iterations: 64 }],
    ['no lane', { parallelism: 0 }],
    ['something that is no number', { memory: Number.NaN }],
    ['no hash at a time', { maxRunning: 0 }],
  ])('refuse %s', (_what, options) => {
    expect(() => new PasswordHashing({ ...CHEAP, ...options })).toThrow(
      expect.objectContaining({ code: 'PASSWORD_HASHING_SETTINGS' }),
    );
  });

  // @see OWASP Password Storage Cheat Sheet
  test('default to 19 MiB, two passes, one lane', async () => {
    const hash = await new PasswordHashing().hash('Mellon');
    expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/);
  });

  test('leave a thread of libuv free by default', () => {
    expect(new PasswordHashing().maxRunning).toBeGreaterThanOrEqual(1);
    expect(new PasswordHashing().maxRunning).toBeLessThanOrEqual(3);
  });
});

describe('a hash that is not supported matches nothing and costs nothing', () => {
  test.each([
    ['empty', ''],
    ['a bcrypt hash cut short', '$2b$10$abcdefghijklmnopqrstuv'],
    ['a plain password', 'Mellon'],
    ['argon2d', `$argon2d$v=19$m=8,t=1,p=1$${SALT}$${DIGEST}`],
    ['an older version', `$argon2id$v=16$m=8,t=1,p=1$${SALT}$${DIGEST}`],
    ['without version', `$argon2id$m=8,t=1,p=1$${SALT}$${DIGEST}`],
    ['gigabytes of memory', `$argon2id$v=19$m=4194304,t=1,p=1$${SALT}$${DIGEST}`],
    ['minutes of passes', `$argon2id$v=19$m=8,t=4000000000,p=1$${SALT}$${DIGEST}`],
    ['hundreds of lanes', `$argon2id$v=19$m=4096,t=1,p=255$${SALT}$${DIGEST}`],
    ['no memory', `$argon2id$v=19$m=0,t=1,p=1$${SALT}$${DIGEST}`],
    ['without digest', `$argon2id$v=19$m=8,t=1,p=1$${SALT}`],
    ['a digest of three bytes', `$argon2id$v=19$m=8,t=1,p=1$${SALT}$aaaa`],
    ['a digest of four bytes', `$argon2id$v=19$m=8,t=1,p=1$${SALT}$AQEBAQ`],
    ['a digest of 15 bytes', `$argon2id$v=19$m=8,t=1,p=1$${SALT}$${'AQEB'.repeat(5)}`],
    ['argon2i with such a digest', `$argon2i$v=19$m=8,t=1,p=1$${SALT}$${'AQEB'.repeat(5)}`],
    ['a salt of seven bytes', `$argon2id$v=19$m=8,t=1,p=1$AQEBAQEBAQ$${DIGEST}`],
    ['a digest in another spelling', `$argon2id$v=19$m=8,t=1,p=1$${SALT}$${'AQEB'.repeat(5)}AR`],
    ['a number with a leading zero', `$argon2id$v=19$m=08,t=1,p=1$${SALT}$${DIGEST}`],
    ['padding', `$argon2id$v=19$m=8,t=1,p=1$${SALT}$${DIGEST}=`],
    ['very long', `$argon2id$v=19$m=8,t=1,p=1$${SALT}$${DIGEST.repeat(100)}`],
  ])('%s', async (_what, hash) => {
    const before = hashing.verifications;
    expect(hashing.supports(hash)).toBe(false);
    expect(hashing.needsRehash(hash)).toBe(true);
    expect(await hashing.verify(hash, 'Mellon')).toBe(false);
    expect(hashing.verifications).toBe(before);
  });

  test.each(['argon2id', 'argon2i'])(
    '%s with a digest of 16 bytes and a salt of 8 is supported',
    (kind) => {
      const digest = Buffer.alloc(16, 1).toString('base64').slice(0, -2);
      expect(hashing.supports(`$${kind}$v=19$m=8,t=1,p=1$AQEBAQEBAQE$${digest}`)).toBe(true);
    },
  );

  test('a changed character never causes an error or a match', async () => {
    const hash = await hashing.hash('Mellon');
    await fc.assert(
      fc.asyncProperty(
        fc.nat(hash.length - 1),
        anyText({ maxLength: 2 }),
        async (position, change) => {
          const changed = hash.slice(0, position) + change + hash.slice(position + 1);
          fc.pre(changed !== hash);
          expect(await hashing.verify(changed, 'Mellon')).toBe(false);
        },
      ),
    );
  });
});

describe('passwords', () => {
  test.each([
    ['a different password', 'Mellon', 'mellon'],
    ['what follows a NUL', 'a\0b', 'a\0c'],
    ['what lacks the NUL', 'a\0', 'a'],
    ['another lone surrogate', 'a\ud800', 'a\ud801'],
    ['a replacement character for a lone surrogate', 'a\ud800', 'a\ufffd'],
    ['white space at the end', 'Mellon', 'Mellon '],
    ['the empty password', 'Mellon', ''],
    ['the last of 64 KiB', `${'x'.repeat(65_536)}y`, `${'x'.repeat(65_536)}z`],
  ])('distinguishes %s', async (_what, set, given) => {
    const hash = await hashing.hash(set);
    expect(await hashing.verify(hash, given)).toBe(false);
    expect(await hashing.verify(hash, set)).toBe(true);
  });

  test('counts é as the same however it is typed', async () => {
    expect(await hashing.verify(await hashing.hash('caf\u00e9'), 'cafe\u0301')).toBe(true);
  });

  test('any text verifies as the password it was set as', async () => {
    await fc.assert(
      fc.asyncProperty(anyText(), async (password) => {
        expect(await hashing.verify(await hashing.hash(password), password)).toBe(true);
      }),
    );
  });

  test('64 KiB of combining marks are a password', async () => {
    const marks = `a${'\u0301\u0323'.repeat(16_384)}${'\u0327'.repeat(16_384)}`;
    expect(await hashing.verify(await hashing.hash(marks), marks)).toBe(true);
  });
});

describe('work', () => {
  test('the same password has another hash each time', async () => {
    expect(await hashing.hash('Mellon')).not.toBe(await hashing.hash('Mellon'));
  });

  test.each([
    ['memory', { memory: 16 }],
    ['iterations', { iterations: 2 }],
    ['lanes', { memory: 16, parallelism: 2 }],
  ])('a hash of other %s still verifies, and needs a rehash', async (_what, changed) => {
    const older = await new PasswordHashing({ ...CHEAP, ...changed }).hash('Mellon');
    expect(await hashing.verify(older, 'Mellon')).toBe(true);
    expect(hashing.needsRehash(older)).toBe(true);
    expect(hashing.needsRehash(await hashing.hash('Mellon'))).toBe(false);
  });

  test('a decoy is refused after one verification', async () => {
    const before = hashing.verifications;
    expect(await hashing.verifyDecoy('Mellon')).toBe(false);
    expect(hashing.verifications).toBe(before + 1);
  });

  test('a caller that finds the queue full gets PASSWORD_HASHING_BUSY, the others are served', async () => {
    const narrow = new PasswordHashing({ ...CHEAP, maxRunning: 1, maxWaiting: 1 });
    const answers = await Promise.allSettled(['a', 'b', 'c'].map((text) => narrow.hash(text)));
    expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected']);
    expect(answers[2]).toMatchObject({
      reason: expect.objectContaining({ code: 'PASSWORD_HASHING_BUSY' }),
    });
    await expect(narrow.hash('d')).resolves.toMatch(/^\$argon2id/);
    expect(answers[2]?.status === 'rejected' && answers[2].reason).toBeInstanceOf(CryptoError);
  });

  test('a network waits for one turn of each other, however much they send', async () => {
    let network = '';
    const currentCaller = () => ({ network, isKnown: false, isGone: () => false });
    const limits = { maxRunning: 1, maxWaiting: 10 };
    const narrow = new PasswordHashing({ ...CHEAP, ...limits, currentCaller });
    const flood = [...'abcde'.repeat(10)].map((each) => {
      network = each;
      return narrow.verifyDecoy('wrong');
    });
    const settled = Promise.allSettled(flood);
    network = 'honest';
    await narrow.verifyDecoy('right');
    // The one that ran, one of each network, and the one that runs now.
    expect(narrow.verifications).toBeLessThanOrEqual(8);
    await settled;
  });

  test('a password is not checked where its caller is gone when its turn comes', async () => {
    const currentCaller = () => ({ network: 'a', isKnown: false, isGone: () => true });
    const abandoned = new PasswordHashing({ ...CHEAP, currentCaller });
    await expect(abandoned.verifyDecoy('Mellon')).rejects.toMatchObject({
      code: 'CALLER_GONE',
      isTemporary: true,
    });
    expect(abandoned.verifications).toBe(0);
  });
});
