import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { anyText } from '../../../test/support/any-text.js';
import { AccountError } from './account-error.js';
import { readLdifRecords } from './ldif-records.js';

const SECRET = 'hunter2';
const DN = 'dn: uid=alice,dc=example,dc=org';

/** The names and values of all records. */
const valuesOf = (text: string) =>
  readLdifRecords(text).records.map(({ attributes }) =>
    attributes.map(({ name, value }) => [name, value]),
  );

describe('a file that is not LDIF of entries is refused without quoting it', () => {
  test.each([
    ['another version', `version: 2\n\n${DN}\n`, /another version than 1/],
    ['a version that is no number', `version:\n${DN}\n`, /another version than 1/],
    [
      'changes',
      `${DN}\nchangetype: modify\nreplace: userPassword\nuserPassword: ${SECRET}\n-\n`,
      /holds changes \(line 2\)/,
    ],
    ['an added entry', `${DN}\nchangeType: add\nuserPassword: ${SECRET}\n`, /holds changes/],
    ['a control', `${DN}\ncontrol: 1.2.840.113556.1.4.805 true\n`, /holds changes/],
  ])('%s', (_what, text, reason) => {
    let failure: unknown;
    try {
      readLdifRecords(text);
    } catch (error) {
      failure = error;
    }
    expect(failure).toMatchObject({
      code: 'ACCOUNT_IMPORT_UNREADABLE',
      message: expect.stringMatching(reason),
    });
    expect(String(failure)).not.toContain(SECRET);
  });
});

test('what ldapsearch prints behind a complete answer is no entry', () => {
  const end = '# search result\nsearch: 2\nresult: 0 Success\n\n# numResponses: 2\n';
  expect(readLdifRecords(`${DN}\nuid: alice\n\n${end}`)).toMatchObject({
    records: [{ line: 1 }],
    violations: [],
  });
});

describe('a violation has its line, and keeps its record out', () => {
  test.each([
    ['a line without colon', `${DN}\n${SECRET}\n`, 2, /^is not an attribute/],
    ['a line that goes on from nothing', ` ${SECRET}\n`, 1, /^is not an attribute/],
    ['a line that goes on from an empty one', `\n ${SECRET}\n`, 2, /^is not an attribute/],
    ['a name with a space', `${DN}\nuser password: ${SECRET}\n`, 2, /^is not an attribute/],
    [
      'an answer that was cut',
      `${DN}\n\nsearch: 2\nresult: 4 Size limit exceeded\n`,
      3,
      /^is not a dn/,
    ],
    ['an entry without dn', `uid: alice\nuserPassword: ${SECRET}\n`, 1, /^is not a dn/],
    ['two entries without a line between', `${DN}\nuid: alice\n${DN}\n`, 3, /^is a second dn/],
    ['a second dn in capitals', `${DN}\nDN: uid=bob\n`, 2, /^is a second dn/],
    ['what is no Base64', `${DN}\nuserPassword:: ${SECRET}!\n`, 2, /not Base64/],
    ['Base64 cut short', `${DN}\nuserPassword:: aHVudGVyM\n`, 2, /not Base64/],
    ['a URL', `${DN}\njpegPhoto:< file:///etc/shadow\n`, 2, /^names a URL/],
    ['a URL as the password', `${DN}\nuserPassword:< http://127.0.0.1/\n`, 2, /^names a URL/],
  ])('%s', (_what, text, line, reason) => {
    const { records, violations } = readLdifRecords(`${text}\n${DN}\nuid: last\n`);
    expect(violations).toEqual([
      { position: `line ${line}`, reason: expect.stringMatching(reason) },
    ]);
    expect(records.flatMap(({ attributes }) => attributes)).toMatchObject([{ value: 'last' }]);
    expect(JSON.stringify(violations)).not.toContain(SECRET);
  });

  test('and all of them are reported', () => {
    const { violations } = readLdifRecords(`${DN}\n${'x\n'.repeat(200_000)}`);
    expect(violations).toHaveLength(200_000);
  });
});

describe('syntax', () => {
  // @see RFC 2849, examples 1, 2 and 4
  test.each<[string, string, readonly unknown[]]>([
    ['nothing', '', []],
    ['a version alone', 'version: 1\n', []],
    ['a version and an entry', `version: 1\n${DN}\nuid: a\n`, [[['uid', 'a']]]],
    ['a version, a line and an entry', `\n# x\nversion: 1\n\n${DN}\nuid: a`, [[['uid', 'a']]]],
    [
      'many lines between entries',
      `${DN}\nuid: a\n\n\n\n${DN}\nuid: b\n`,
      [[['uid', 'a']], [['uid', 'b']]],
    ],
    [
      'line ends of Windows',
      `${DN}\r\nuid: a\r\n\r\n${DN}\r\nuid: b\r\n`,
      [[['uid', 'a']], [['uid', 'b']]],
    ],
    [
      'a folded value',
      `${DN}\ndescription: on\n e value\n  of three\n  lines\n`,
      [[['description', 'one value of three lines']]],
    ],
    ['a folded name', `${DN}\ndescr\n iption: x\n`, [[['description', 'x']]]],
    ['a folded dn', `dn: uid=a,\n dc=example\nuid: a\n`, [[['uid', 'a']]]],
    ['folded Base64', `${DN}\ncn:: SsO8\n cmdlbg==\n`, [[['cn', 'J\u00fcrgen']]]],
    ['a comment inside an entry', `${DN}\n# who\nuid: a\n`, [[['uid', 'a']]]],
    ['a folded comment', `${DN}\n# who\n userPassword: ${SECRET}\nuid: a\n`, [[['uid', 'a']]]],
    ['a dn in Base64', 'dn:: dWlkPWE=\nuid: a\n', [[['uid', 'a']]]],
    ['no space behind the colon', `${DN}\nuid:a\n`, [[['uid', 'a']]]],
    ['many spaces behind the colon', `${DN}\nuid:    a b \n`, [[['uid', 'a b ']]]],
    ['a colon in the value', `${DN}\nurl: http://x/:y\n`, [[['url', 'http://x/:y']]]],
    ['an empty value', `${DN}\ndescription:\n`, [[['description', '']]]],
    ['empty Base64', `${DN}\ndescription::\n`, [[['description', '']]]],
    ['options', `${DN}\ncn;lang-de;x-1: a\n`, [[['cn;lang-de;x-1', 'a']]]],
    ['a number for a name', `${DN}\n2.5.4.3: a\n`, [[['2.5.4.3', 'a']]]],
    ['bytes that are no UTF-8', `${DN}\njpegPhoto:: /9j/4A==\n`, [[['jpegPhoto', undefined]]]],
    ['a mark of byte order in a value', `${DN}\ncn:: 77u/YQ==\n`, [[['cn', '\ufeffa']]]],
  ])('%s', (_what, text, values) => {
    expect(readLdifRecords(text).violations).toEqual([]);
    expect(valuesOf(text)).toEqual(values);
  });

  test('records and attributes have the lines they began on', () => {
    const { records } = readLdifRecords(`version: 1\n# x\n\n${DN}\ncn: a\n b\nsn: c\n`);
    expect(records).toMatchObject([{ line: 4, attributes: [{ line: 5 }, { line: 7 }] }]);
  });
});

describe('any', () => {
  const name = fc.stringMatching(/^[A-Za-z][A-Za-z0-9-]{0,9}(;[a-z0-9-]{1,5})?$/);
  const anyRecords = fc.array(
    fc.array(fc.tuple(name, fc.string({ unit: 'grapheme' })), { maxLength: 5 }),
  );

  /** Writes LDIF by RFC 2849, folded at `width` characters. */
  function write(entries: ReadonlyArray<ReadonlyArray<readonly [string, string]>>, width: number) {
    const lines = entries.flatMap((entry) => [
      '',
      DN,
      ...entry.map(([key, value]) => attribute(key, value)),
    ]);
    return lines.map((line) => fold(line, width)).join('\n');
  }
  function attribute(key: string, value: string): string {
    const isSafe = /^(?! |:|<)[\p{ASCII}]*(?<! )$/u.test(value) && !/[\0\r\n]/.test(value);
    return isSafe ? `${key}: ${value}` : `${key}:: ${Buffer.from(value).toString('base64')}`;
  }
  const fold = (line: string, width: number) =>
    (line.match(new RegExp(`[^]{1,${width}}`, 'gu')) ?? ['']).join('\n ');

  test('records come back as they were written', () => {
    fc.assert(
      fc.property(anyRecords, fc.integer({ min: 1, max: 80 }), (entries, width) => {
        fc.pre(entries.flat().every(([key]) => !/^(dn|control|changetype)$/i.test(key)));
        const text = write(entries, width);
        expect(readLdifRecords(text).violations).toEqual([]);
        expect(valuesOf(text)).toEqual(entries);
      }),
    );
  });

  test('text throws nothing but an AccountError', () => {
    const parts = fc.constantFrom(
      'dn: a',
      '\n',
      ' ',
      ':',
      '::',
      ':<',
      '#',
      'version: 1',
      'cn',
      'YQ==',
      '\r\n',
      '\0',
    );
    const texts = fc.oneof(
      anyText({ maxLength: 200 }),
      fc.array(parts, { maxLength: 60 }).map((each) => each.join('')),
    );
    fc.assert(
      fc.property(texts, (text) => {
        try {
          const { records, violations } = readLdifRecords(text);
          expect(records.length + violations.length).toBeLessThanOrEqual(text.split('\n').length);
        } catch (error) {
          expect(error).toBeInstanceOf(AccountError);
        }
      }),
      { numRuns: 200 },
    );
  });
});
