import { describe, expect, test } from '@jest/globals';
import {
  ALICE,
  attribute,
  bindAnswer,
  element,
  entry,
  integer,
  message,
  reference,
  result,
  searchDone,
  text,
} from '../../../../test/support/ldap-messages.js';
import { Exchange } from './exchange.js';

const ID = 7;
const BIND = message(ID, element(0x60, integer(2, 3), text('a=b'), element(0x80, 'c')));
const SEARCH = message(ID, element(0x63));
const ABANDON = message(ID, element(0x50));
const ELSEWHERE = reference('ldap://b/');
const LARGE = entry('a=b', attribute('c', 'x'.repeat(1_048_576)));

const times = (count: number, operation: Buffer) => Array.from({ length: count }, () => operation);
/** Which of these the client sees. */
function shown(request: Buffer | undefined, operations: readonly Buffer[], id = ID): Buffer[] {
  const exchange = new Exchange(request);
  return operations.filter((operation) => exchange.admits(message(id, operation)));
}

describe('an answer', () => {
  test.each<[string, Buffer | undefined, readonly Buffer[], string]>([
    ['before anything was asked', undefined, [bindAnswer(0)], 'what nobody asked'],
    ['to a request that has none', ABANDON, [bindAnswer(0)], 'something else'],
    ['twice', BIND, [bindAnswer(49), bindAnswer(0)], 'what nobody asked'],
    ['after its end', SEARCH, [searchDone(), ALICE], 'what nobody asked'],
    ['to a search, given to a bind', BIND, [searchDone()], 'something else'],
    ['to an extension, given to a bind', BIND, [result(0x78, 0)], 'something else'],
    ['of entries, given to a bind', BIND, [ALICE], 'something else'],
    ['of references, given to a bind', BIND, [ELSEWHERE], 'something else'],
    ['to a bind, given to a search', SEARCH, [bindAnswer(0)], 'something else'],
    ['to an extension, given to a search', SEARCH, [result(0x78, 0)], 'something else'],
    ['of three entries', SEARCH, times(3, ALICE), 'too many entries'],
    ['of too many references', SEARCH, times(1_001, ELSEWHERE), 'too many references'],
    ['of too many bytes', SEARCH, times(2, LARGE), 'too many bytes'],
    ['that is malformed', SEARCH, [element(0x64)], 'does not speak LDAP'],
  ])('is refused %s', (_what, request, operations, reason) => {
    expect(() => shown(request, operations)).toThrow(reason);
  });

  test('is refused to another request, and where the server takes its leave', () => {
    expect(() => shown(BIND, [bindAnswer(0)], ID + 1)).toThrow('what nobody asked');
    for (const request of [undefined, BIND]) {
      const notice = () => shown(request, [result(0x78, 52)], 0);
      expect(notice).toThrow('the server takes its leave: LDAP result 52');
    }
  });

  test.each([
    ['to a bind', BIND, [bindAnswer(49)], [bindAnswer(49)]],
    ['to a search of nothing', SEARCH, [searchDone()], [searchDone()]],
    ['of two entries', SEARCH, [ALICE, ALICE, searchDone(4)], [ALICE, ALICE, searchDone(4)]],
    ['without its references', SEARCH, [...times(1_000, ELSEWHERE), searchDone()], [searchDone()]],
  ])('is shown %s', (_what, request, operations, seen) => {
    expect(shown(request, operations)).toEqual(seen);
  });
});
