import { describe, expect, test } from '@jest/globals';
import { shaCryptDigest } from './sha-crypt-worker.js';
import { computeShaCrypt, ShaCryptThread } from './sha-crypt.js';

const inputOf = (password: string, rounds = 1000) =>
  ({ algorithm: 'sha512', rounds, salt: 'salt', password: Buffer.from(password) }) as const;
describe('the thread of SHA-crypt', () => {
  test('gives each caller the result of the function', async () => {
    const inputs = ['a', 'b', 'c', 'd'].map((password) => inputOf(password));
    const answers = await Promise.all(inputs.map((input) => computeShaCrypt(input)));
    expect(answers).toEqual(inputs.map((input) => shaCryptDigest(input)));
  });

  test('leaves the event loop free while it computes', async () => {
    let turns = 0;
    const ticking = setInterval(() => (turns += 1), 1);
    await computeShaCrypt(inputOf('x', 100_000));
    clearInterval(ticking);
    expect(turns).toBeGreaterThan(5);
  });

  test('rejects all pending calls when it fails, and the next call gets a new thread', async () => {
    const broken = { ...inputOf('x'), algorithm: 'none' as 'sha256' };
    const answers = await Promise.allSettled([broken, inputOf('x')].map(computeShaCrypt));
    expect(answers.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(await computeShaCrypt(inputOf('x'))).toBe(shaCryptDigest(inputOf('x')));
  });

  test('ends after a while without calls', async () => {
    const thread = new ShaCryptThread(0);
    await thread.compute(inputOf('x'));
    await thread.ended;
    expect(thread.hasEnded).toBe(true);
  });
});
