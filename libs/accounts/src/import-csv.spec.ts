import { describe, expect, test } from '@jest/globals';
import { readCsv } from './import-csv.js';

const SECRET = 'hunter2';

describe('a file that is not CSV of accounts is refused without quoting it', () => {
  test.each([
    ['nothing at all', '', /no column "name"/],
    ['no name column', `password\n${SECRET}\n`, /no column "name"/],
    ['semicolons between columns', `name;password\nalice;${SECRET}\n`, /no column "name"/],
    ['a name column twice', `name,Name,password\na,b,${SECRET}\n`, /"name" twice/],
    ['a password column twice', `name,password,PASSWORD\na,${SECRET},b\n`, /"password" twice/],
    ['an untitled column', `name,password,\na,${SECRET},b\n`, /without a title/],
    ['a column of hashes', `name,password,ntHash\na,b,${SECRET}\n`, /"ntHash", .*passwords/],
    ['a column of passwords', `name,pwd\na,${SECRET}\n`, /"pwd", .*passwords/],
    ['an open quote', `name,password\nalice,"${SECRET}\n`, /not valid CSV at line 2/],
    ['text behind a quote', `name,password\nalice,"x"${SECRET}\n`, /not valid CSV at line 2/],
  ])('%s', (_what, text, reason) => {
    let failure: unknown;
    try {
      readCsv(text);
    } catch (error) {
      failure = error;
    }
    expect(failure).toMatchObject({
      code: 'ACCOUNT_IMPORT_UNREADABLE',
      message: expect.stringMatching(reason),
    });
    expect(failure).not.toHaveProperty('cause');
    expect(String(failure)).not.toContain(SECRET);
  });
});

describe('lines', () => {
  test('of another length than the header are violations, each with its line', () => {
    const { entries, violations } = readCsv(`name,password\na\nb,${SECRET}\nc,${SECRET},d\n`);
    expect(entries.map(({ name }) => name)).toEqual(['b']);
    expect(violations).toEqual([
      { position: 'line 2', reason: 'has 1 field where the header has 2' },
      { position: 'line 4', reason: 'has 3 fields where the header has 2' },
    ]);
  });

  test.each([
    ['line ends of Windows', 'name,password\r\na,x\r\n'],
    ['no line end at the end', 'name,password\na,x'],
    ['empty lines', '\nname,password\n\na,x\n\n'],
    ['a byte order mark', '\ufeffname,password\na,x\n'],
    ['quotes', '"name","password"\n"a","x"\n'],
  ])('may have %s', (_what, text) => {
    const { entries, violations } = readCsv(text);
    expect(violations).toEqual([]);
    expect(entries).toMatchObject([{ name: 'a', password: 'x' }]);
  });
});

describe('columns', () => {
  test.each(['Password', 'PASSWORD', ' password ', 'pass-word', 'pass_word'])(
    'a column %p is the password, never an attribute',
    (title) => {
      expect(readCsv(`name,${title}\na,x\n`).entries).toMatchObject([
        { password: 'x', attributes: {} },
      ]);
    },
  );

  test.each(['passwordHash', 'password_hash', 'Password Hash'])(
    'a column %p is the hash, never an attribute',
    (title) => {
      expect(readCsv(`name,${title}\na,x\n`).entries).toMatchObject([
        { passwordHash: 'x', attributes: {} },
      ]);
    },
  );

  test('any other column is an attribute in its own spelling', () => {
    const { entries } = readCsv('name,displayName,member-of\na,"Doe, Jane","x; y ;;z"\n');
    expect(entries[0]?.attributes).toEqual({
      displayName: ['Doe, Jane'],
      'member-of': ['x', 'y', 'z'],
    });
  });

  test('a repeated attribute column adds values', () => {
    const { entries } = readCsv('name,mail,mail\na,x,y\nb,,y\n');
    expect(entries.map(({ attributes }) => attributes)).toEqual([
      { mail: ['x', 'y'] },
      { mail: ['y'] },
    ]);
  });

  test('an attribute may be named like a property of objects', () => {
    const { entries } = readCsv('name,__proto__,constructor\na,x,y\n');
    expect(Object.entries(entries[0]?.attributes ?? {})).toEqual([
      ['__proto__', ['x']],
      ['constructor', ['y']],
    ]);
  });
});

describe('cells', () => {
  const columns = 'name,password,passwordHash,disabled,expires,mail';
  const entryOf = (cells: string) => readCsv(`${columns}\n${cells}\n`).entries[0];

  test('an empty password changes nothing; other empty cells clear the value', () => {
    expect(entryOf('a,,,,,')).toEqual({
      position: 'line 2',
      name: 'a',
      password: undefined,
      passwordHash: undefined,
      disabled: false,
      expires: null,
      attributes: { mail: [] },
    });
  });

  test('a password keeps its white space', () => {
    expect(entryOf('a," x ",,,,')?.password).toBe(' x ');
  });

  test.each([
    ['true', true],
    ['TRUE', true],
    [' false ', false],
    ['yes', 'yes'],
    ['1', '1'],
  ])('disabled %p is read as %p', (cell, value) => {
    expect(entryOf(`a,,,${cell},,`)?.disabled).toBe(value);
  });

  test('missing columns change nothing', () => {
    expect(readCsv('name\na\n').entries).toEqual([
      { position: 'line 2', name: 'a', attributes: {} },
    ]);
  });
});
