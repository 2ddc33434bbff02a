import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { BatchAnswers, type BatchAnswer } from './batch-answers.js';

const ID = 'ce013625030ba8dba906f756967f9e9ca394464a';
const LIMIT = 20;

/** What is read of `written`, which comes in pieces that end at `cuts`. */
function read(written: Buffer, cuts: readonly number[] = []): BatchAnswer[] {
  const answers: BatchAnswer[] = [];
  const reader = new BatchAnswers(LIMIT, (answer) => answers.push(answer));
  const ends = [...new Set([0, ...cuts.map((cut) => cut % (written.length + 1)), written.length])];
  ends.sort((a, b) => a - b);
  ends.forEach((end, index) => reader.take(written.subarray(ends[index - 1] ?? 0, end)));
  return answers;
}

const object = (content: Uint8Array) =>
  Buffer.concat([Buffer.from(`${ID} blob ${content.length}\n`), content, Buffer.from('\n')]);

describe('answers of a batch', () => {
  test.each([
    ['nothing of an object that is missing', `${ID} missing\n`],
    ['nothing of a beginning that several objects have', 'ce01 ambiguous\n'],
  ])('hold %s', (_what, written) => {
    expect(read(Buffer.from(written))).toEqual([undefined]);
  });

  test('hold each object as it is, in whatever pieces it comes', () => {
    const contents = fc.array(fc.option(fc.uint8Array({ maxLength: 2 * LIMIT })));
    fc.assert(
      fc.property(contents, fc.array(fc.nat()), (given, cuts) => {
        const written = given.map((content) =>
          content === null ? Buffer.from(`${ID} missing\n`) : object(content),
        );
        expect(read(Buffer.concat(written), cuts)).toEqual(
          given.map((content) => {
            if (content === null) return undefined;
            if (content.length > LIMIT) return 'too large';
            return { id: ID, type: 'blob', content: Buffer.from(content) };
          }),
        );
      }),
    );
  });
});
