import { execFileSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { makeFolder, removeFolder } from '../../../test/support/folders.js';
import { describeDatabase, urlFormatViolation, urlsOfHosts, urlViolation } from './database-url.js';

const ONE = 'postgresql://sso:old@db.internal:5432/sso?sslmode=disable';

describe('a URL is refused', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await makeFolder();
    await mkdir(join(folder, 'directory'));
    execFileSync('/usr/bin/env', ['mkfifo', join(folder, 'pipe')]);
    await writeFile(join(folder, 'ca.crt'), 'x');
  });
  afterAll(() => removeFolder(folder));

  test.each([
    ['mysql://u:hunter2@db/a', 'must be postgresql://user:password@host/database'],
    ['postgresql://u:hunter2@db:x/a', 'must be postgresql://user:password@host/database'],
    ...['statement_timeout', 'query_timeout', 'idle_in_transaction_session_timeout'].map(
      (name): [string, string] => [
        `postgresql://u:hunter2@db/a?${name}=1`,
        `must not set ${name}: the application sets its own timeouts`,
      ],
    ),
    ['postgresql://u@one,,two/a', 'must be postgresql://user:password@host/database'],
    ['postgresql://u@one,two:x/a', 'must be postgresql://user:password@host/database'],
    ...['any', 'read-only', 'standby', 'prefer-standby', ''].map((value): [string, string] => [
      `postgresql://u@one,two/a?target_session_attrs=${value}`,
      'must have no target_session_attrs, or read-write or primary: the application writes',
    ]),
    ...[
      'postgresql:///a?host=one,two',
      'postgresql://one,two/a?port=1',
      'postgresql://one/a?port=1,2',
    ].map((url): [string, string] => [
      url,
      'must name several hosts as postgresql://one:5432,two:5432/database',
    ]),
  ])('%s', async (url, violation) => {
    expect(await urlViolation(url)).toBe(violation);
  });

  test.each([
    ['sslrootcert', 'pipe', 'is no regular file'],
    ['sslcert', 'directory', 'is no regular file'],
    ['sslkey', 'nothing', 'does not exist'],
  ])('that names as %s what it cannot read: %s', async (name, file, fault) => {
    const url = `postgresql://u@db/a?sslrootcert=${folder}/ca.crt&${name}=${folder}/${file}`;
    expect(await urlViolation(url)).toBe(`names a file as ${name} that ${fault}`);
  });

  test('no more where all is well', async () => {
    expect(await urlViolation(`${ONE}&sslrootcert=${folder}/ca.crt&sslcert=`)).toBeUndefined();
  });
});

test.each([
  ['postgresql://u:secret@db.example.org/orders', 'database orders at db.example.org:5432'],
  ['postgres://db:5433/a?sslmode=disable', 'database a at db:5433'],
  ['postgresql://u:secret@/a?host=/run/postgresql', 'database a at /run/postgresql:5432'],
  ['postgresql:///a', 'database a at localhost:5432'],
  ['postgresql://u:sec ret%zz@db/a', 'database a at db:5432'],
  ['postgresql://u:secret@[::1]/a', 'database a at [::1]:5432'],
  ['postgresql://u@db:1/a?port=2', 'database a at db:2'],
  [
    'postgresql://u:se,cr@et@one:5433,two,[::1]:1/a?target_session_attrs=read-write',
    'database a at one:5433,two:5432,[::1]:1',
  ],
])('%s is the %s in the log', (url, named) => {
  expect(urlFormatViolation(url)).toBeUndefined();
  expect(describeDatabase(url)).toBe(named);
});

test('a URL with several hosts is one URL a host, with the same login, database and parameters', () => {
  const host = fc.constantFrom('one', 'two:5433', '[::1]', '10.0.0.1:1');
  const rest = fc.constantFrom('', '/a', '/a?sslmode=disable', '/a,b?x=c,d', '?x=a@b,c');
  const login = fc.constantFrom('', 'u@', 'u:p,w@', 'u:p@w,d@', 'u:%2C@');
  fc.assert(
    fc.property(
      login,
      fc.array(host, { minLength: 1, maxLength: 4 }),
      rest,
      (user, hosts, path) => {
        const start = `postgresql://${user}`;
        expect(urlsOfHosts(`${start}${hosts.join(',')}${path}`)).toEqual(
          hosts.map((each) => `${start}${each}${path}`),
        );
      },
    ),
  );
});
