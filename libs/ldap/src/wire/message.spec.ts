import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  ALICE,
  attribute,
  bindAnswer,
  broken,
  controls,
  element,
  entry,
  integer,
  message,
  policyControl,
  reference,
  result,
  searchDone,
  text,
} from '../../../../test/support/ldap-messages.js';
import { readMessage } from './message.js';

const hex = (bytes: string): Buffer => Buffer.from(bytes.replaceAll(' ', ''), 'hex');
const withControls = (...each: readonly Buffer[]) => message(2, bindAnswer(49), controls(...each));
const policy = (...value: readonly Buffer[]) => withControls(policyControl(...value));
const operation = (tag: number, ...content: readonly Buffer[]) =>
  message(2, element(tag, ...content));

const CODE = integer(0x0a, 0);
const UNKNOWN = text('2.16.840.1.113730.3.4.4');
const POLICY = text('1.3.6.1.4.1.42.2.27.8.5.1');
const WARNING = element(0xa0, integer(0x80, 0, 255));
const TOO_MANY = Array.from({ length: 10_001 }, () => text(''));
const MANY_OF_MANY = Array.from({ length: 101 }, (_, index) =>
  attribute(`a${index}`, ...Array.from({ length: 100 }, () => '')),
);
const SOUND: ReadonlyArray<[string, Buffer, object]> = [
  ['a bind answer', message(2, bindAnswer(49)), { id: 2, operation: 0x61, code: 49 }],
  ['an end of search', message(127, searchDone(4)), { id: 127, operation: 0x65, code: 4 }],
  ['an entry', message(2, ALICE), { id: 2, operation: 0x64 }],
  ['an entry without attributes', message(2, entry('')), { operation: 0x64 }],
  ['an attribute without values', message(2, entry('a=b', attribute('c'))), { operation: 0x64 }],
  ['a reference', message(2, reference('ldap://b/')), { operation: 0x73 }],
  ['a notice', message(0, result(0x78, 52, element(0x8a, '1.3'))), { id: 0, code: 52 }],
  ['an extended answer', message(1, result(0x78, 0, element(0x8b))), { operation: 0x78 }],
  ['a referral', message(2, result(0x65, 10, element(0xa3, text('ldap://b/')))), { code: 10 }],
  ['credentials', message(2, result(0x61, 14, element(0x87, 'x'))), { code: 14 }],
  [
    'lengths as Active Directory writes them',
    hex('3084000000100201026184000000070a010004000400'),
    { code: 0 },
  ],
  [
    'numbers of more bytes',
    hex('300f 0203000102 6108 0a021000 0400 0400'),
    { id: 258, code: 4096 },
  ],
  ['a control of no value', withControls(element(0x30, UNKNOWN)), { code: 49 }],
  [
    'a critical control',
    withControls(element(0x30, UNKNOWN, integer(1, 255), text('x'))),
    { code: 49 },
  ],
  ['a policy of nothing', policy(), { code: 49 }],
  ['a policy without its value', withControls(element(0x30, POLICY, text(''))), { code: 49 }],
  ['a policy of all', policy(WARNING, integer(0x81, 1)), { code: 49 }],
  ['a policy of grace', policy(element(0xa0, integer(0x81, 3))), { code: 49 }],
];

describe('a message of a server', () => {
  test.each<[string, Buffer]>([
    ['nothing', Buffer.alloc(0)],
    ['no sequence', hex('02020000')],
    ['an endless length', hex('3080 020102 6107 0a0100 0400 0400 0000')],
    ['a length of five bytes', hex('3085000000000c 020102 6107 0a0100 0400 0400')],
    ['a message and more', Buffer.concat([message(2, bindAnswer(0)), hex('00')])],
    ['no id', element(0x30, bindAnswer(0))],
    ['an id of no bytes', hex('300b 0200 6107 0a0100 0400 0400')],
    ['an id of five bytes', hex('3010 02050000000002 6107 0a0100 0400 0400')],
    ['no operation', message(2)],
    ['a request', operation(0x60, integer(2, 3), text(''), element(0x80))],
    ['a response to a request that is never sent', message(2, result(0x6b, 0))],
    ['an intermediate response', operation(0x79)],
    ['an operation and more', message(2, bindAnswer(0), text(''))],
    ['a result of nothing', operation(0x61)],
    ['a result of no bytes', operation(0x61, element(0x0a), text(''), text(''))],
    ['a result of five bytes', operation(0x61, integer(0x0a, 0, 0, 0, 0, 0), text(''), text(''))],
    ['a result of another kind', operation(0x61, integer(0x02, 0), text(''), text(''))],
    ['a result without its texts', operation(0x61, CODE)],
    ['a result without its text', operation(0x61, CODE, text(''))],
    ['a result of a text in pieces', operation(0x61, CODE, element(0x24, text('')), text(''))],
    ['a result and more', operation(0x65, CODE, text(''), text(''), text(''))],
    ['credentials where no bind was', message(2, result(0x65, 0, element(0x87, 'x')))],
    ['controls inside a result', message(2, result(0x61, 0, controls()))],
    ['a referral to no text', message(2, result(0x65, 10, element(0xa3, integer(2, 0))))],
    ['a reference to no text', operation(0x73, integer(2, 0))],
    ['an entry of nothing', operation(0x64)],
    ['an entry without its attributes', operation(0x64, text('a=b'))],
    ['an entry of a name that is no text', message(2, entry(hex('613dff')))],
    ['an entry and more', operation(0x64, text('a=b'), element(0x30), text(''))],
    ['an attribute of nothing', message(2, entry('a=b', element(0x30)))],
    ['an attribute without values', message(2, entry('a=b', element(0x30, text('a'))))],
    [
      'an attribute and more',
      message(2, entry('a=b', element(0x30, text('a'), element(0x31), CODE))),
    ],
    [
      'a value of another kind',
      message(2, entry('a=b', element(0x30, text('a'), element(0x31, CODE)))),
    ],
    ['an attribute twice', message(2, entry('a=b', attribute('uid', 'x'), attribute('UID', 'y')))],
    ['an attribute of the entry’s name', message(2, entry('a=b', attribute('dn', 'c=d')))],
    [
      'too many values',
      message(2, entry('a=b', element(0x30, text('a'), element(0x31, ...TOO_MANY)))),
    ],
    ['too many values in all', message(2, entry('a=b', ...MANY_OF_MANY))],
    ['a control of nothing', withControls(element(0x30))],
    ['a control that is none', withControls(UNKNOWN)],
    ['a control and more', withControls(element(0x30, UNKNOWN, text(''), text('')))],
    ['a control critical by no bytes', withControls(element(0x30, UNKNOWN, element(1)))],
    ['a policy of another kind', withControls(element(0x30, POLICY, text('x')))],
    ['a policy and more behind it', withControls(element(0x30, POLICY, text('\u{30}\0\0')))],
    ['a policy of an error of no bytes', policy(element(0x81))],
    ['a policy of a warning of nothing', policy(element(0xa0))],
    ['a policy of a warning of no bytes', policy(element(0xa0, element(0x80)))],
    ['a policy of two warnings', policy(element(0xa0, integer(0x80, 1), integer(0x81, 1)))],
    ['a policy and more', policy(integer(0x81, 1), integer(0x81, 1))],
  ])('is refused for %s', (_what, bytes) => {
    expect(() => readMessage(bytes)).toThrow('the server does not speak LDAP: ');
  });

  test.each(SOUND)('may be %s', (_what, bytes, read) => {
    expect(readMessage(bytes)).toMatchObject(read);
  });

  test.each(SOUND)('is refused when truncated anywhere: %s', (_what, bytes) => {
    for (let length = 0; length < bytes.length; length += 1) {
      expect(() => readMessage(bytes.subarray(0, length))).toThrow('does not speak LDAP');
    }
  });

  test.each(SOUND)('is read or refused after any change: %s', (_what, bytes) => {
    const property = fc.property(broken(bytes), (other) => {
      try {
        expect(readMessage(other).id).toEqual(expect.any(Number));
      } catch (error) {
        expect((error as Error).message).toContain('does not speak LDAP');
      }
    });
    fc.assert(property, { numRuns: 200 });
  });
});
