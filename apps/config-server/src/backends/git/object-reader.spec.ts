import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { CatFileParser, type ReadResult } from './object-reader.js';

const ID = 'ce013625030ba8dba906f756967f9e9ca394464a';
const LIMIT = 20;

/** Parses `written` in chunks that end at `cuts`. */
function parse(written: Buffer, cuts: readonly number[] = []): ReadResult[] {
  const results: ReadResult[] = [];
  const parser = new CatFileParser(LIMIT, (result) => results.push(result));
  const ends = [...new Set([0, ...cuts.map((cut) => cut % (written.length + 1)), written.length])];
  ends.sort((a, b) => a - b);
  ends.forEach((end, index) => parser.write(written.subarray(ends[index - 1] ?? 0, end)));
  return results;
}

const object = (content: Uint8Array) =>
  Buffer.concat([Buffer.from(`${ID} blob ${content.length}\n`), content, Buffer.from('\n')]);

describe('the results of git cat-file --batch', () => {
  test.each([
    ['nothing for a missing object', `${ID} missing\n`],
    ['nothing for an ambiguous prefix', 'ce01 ambiguous\n'],
  ])('hold %s', (_what, written) => {
    expect(parse(Buffer.from(written))).toEqual([undefined]);
  });

  test('hold each object unchanged, however its chunks are cut', () => {
    const contents = fc.array(fc.option(fc.uint8Array({ maxLength: 2 * LIMIT })));
    fc.assert(
      fc.property(contents, fc.array(fc.nat()), (given, cuts) => {
        const written = given.map((content) =>
          content === null ? Buffer.from(`${ID} missing\n`) : object(content),
        );
        expect(parse(Buffer.concat(written), cuts)).toEqual(
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
