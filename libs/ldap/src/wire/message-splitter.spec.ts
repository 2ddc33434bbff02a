import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { ALICE, bindAnswer, message } from '../../../../test/support/ldap-messages.js';
import { endOfMessage, MessageSplitter } from './message-splitter.js';

const LONGEST = 300;
const hex = (bytes: string): Buffer => Buffer.from(bytes, 'hex');
const splitAll = (chunks: readonly Buffer[], splitter = new MessageSplitter(LONGEST)) =>
  chunks.flatMap((chunk) => [...splitter.cut(chunk)]);

describe('a stream of messages', () => {
  test.each([
    ['begins with no message', '15', 'not the start of a message'],
    ['has no end', '3080', 'an invalid length'],
    ['has a length of too many bytes', '3085', 'an invalid length'],
    ['is longer than may be', '3082012900', 'a message of 301 bytes'],
    ['is longer than anything', '3084ffffffff', 'a message of 4294967301 bytes'],
  ])('is refused at its first bytes where it %s', (_what, begin, reason) => {
    expect(() => splitAll([hex(begin)])).toThrow(reason);
    const byOne = [...message(2, ALICE), ...hex(begin)].map((byte) => Buffer.of(byte));
    expect(() => splitAll(byOne)).toThrow(reason);
  });

  test('may have messages of the maximum length', () => {
    const longest = Buffer.concat([hex('30820128'), Buffer.alloc(296)]);
    expect(splitAll([longest])).toEqual([longest]);
    expect(endOfMessage(longest.subarray(0, 3), LONGEST)).toBeUndefined();
  });

  test('is split into the same messages for any chunks', () => {
    const messages = [message(2, ALICE), message(2, bindAnswer(0)), hex('3000'), message(3, ALICE)];
    const all = Buffer.concat([...messages, hex('3005')]);
    const cuts = fc.array(fc.nat(all.length), { maxLength: 200 });
    const property = fc.property(cuts, (places) => {
      const ends = [...places, all.length].toSorted((one, other) => one - other);
      const chunks = ends.map((end, index) => all.subarray(ends[index - 1] ?? 0, end));
      expect(splitAll(chunks)).toEqual(messages);
    });
    fc.assert(property, { examples: [[[]], [[...all.keys()]]] });
  });
});
