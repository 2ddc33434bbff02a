import { execFileSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import pg from 'pg';
import { makeFolder, removeFolder } from '../../../test/support/folders.js';
import {
  describeDatabase,
  urlFormatViolation,
  isSameDatabase,
  urlViolation,
} from './database-url.js';

const ONE = 'postgresql://sso:old@db.internal:5432/sso?sslmode=disable';

describe('two URLs', () => {
  test.each([
    ['nothing, which is the embedded one,', ONE, undefined],
    ['another host', ONE, 'postgresql://sso:old@db2.internal:5432/sso?sslmode=disable'],
    ['another port', ONE, 'postgresql://sso:old@db.internal:5433/sso?sslmode=disable'],
    ['another database', ONE, 'postgresql://sso:old@db.internal:5432/cas?sslmode=disable'],
    ['another host in the query', ONE, `${ONE}&host=/run/postgresql`],
    ['another port in the query', ONE, `${ONE}&port=5433`],
    ['another sslmode', ONE, 'postgresql://sso:old@db.internal:5432/sso?sslmode=no-verify'],
    ['another authority of TLS', ONE, `${ONE}&sslrootcert=/etc/ca.crt`],
    ['options', ONE, `${ONE}&options=-csearch_path%3Dx`],
    ['no host', ONE, 'postgresql:///sso?sslmode=disable'],
    ['another user, whose database it is', 'postgresql://u@db', 'postgresql://v@db'],
    ['another user in the query', 'postgresql://db?user=u', 'postgresql://db?user=v'],
    [
      'a password that makes the driver escape the whole URL',
      'postgresql://u:p@%2Frun/a',
      'postgresql://u:a b@%2Frun/a',
    ],
  ])('with %s are of different databases', (_what, one, other) => {
    expect([isSameDatabase(one, other), isSameDatabase(other, one)]).toEqual([false, false]);
  });

  test.each([
    ['another password', 'postgresql://sso:n%3Aw@db.internal:5432/sso?sslmode=disable'],
    ['another user', 'postgresql://sso2:old@db.internal:5432/sso?sslmode=disable'],
    ['another scheme', 'postgres://sso:old@db.internal:5432/sso?sslmode=disable'],
    ['both in the query', 'postgres://db.internal:5432/sso?user=a&sslmode=disable&password=b'],
    ['no valid form, which connecting reports', 'postgresql://sso:old@db.internal:x/sso'],
  ])('with %s are of the same', (_what, url) => {
    expect([isSameDatabase(ONE, url), isSameDatabase(url, ONE)]).toEqual([true, true]);
  });

  const part = fc.constantFrom('', 'a', 'b c', '%2Fx', '%41', '%zz', 'p@', 'é', ':', '@/');
  const parameter = fc.tuple(
    fc.constantFrom('user', 'password', 'host', 'port', 'options', 'application_name'),
    fc.constantFrom('', '1', '2', '/run', '%2Fx'),
  );
  const url = fc
    .record({
      login: fc.tuple(part, part),
      host: fc.constantFrom('', 'db', '%2Frun', '[::1]', 'db:5432', 'db:5433'),
      path: fc.constantFrom('', '/', '/a', '/b', '/%61', '/a b'),
      query: fc.array(parameter, { maxLength: 3 }),
    })
    .map(({ login: [user, password], host, path, query }) => {
      const parameters = query.map(([name, value]) => `${name}=${value}`).join('&');
      return `postgresql://${user}:${password}@${host}${path}?${parameters}`;
    });

  test('that are of the same are so for the driver, whatever they look like', () => {
    const seen = { same: 0 };
    fc.assert(
      fc.property(url, url, (one, other) => {
        const [before, after] = [driverParameters(one), driverParameters(other)];
        if (before === undefined || after === undefined || !isSameDatabase(one, other)) return;
        seen.same += 1;
        expect(after).toEqual(before);
      }),
      { numRuns: 10_000, examples: [[ONE, ONE]] },
    );
    expect(seen.same).toBeGreaterThan(5);
  });
});

/** The driver's parameters of a URL without user and password; undefined for a URL it refuses. */
function driverParameters(connectionString: string): unknown {
  try {
    const client = new pg.Client({ connectionString });
    const { connectionParameters: parameters } = client as unknown as {
      connectionParameters: Record<string, unknown>;
    };
    const { user: _user, password: _password, ...others } = { ...parameters };
    return others;
  } catch {
    return undefined;
  }
}

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
])('%s is the %s in the log', (url, named) => {
  expect(urlFormatViolation(url)).toBeUndefined();
  expect(describeDatabase(url)).toBe(named);
});
