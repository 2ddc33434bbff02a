// Sources of attributes: which names may be listed, and the SQL queries that they name.
import { describe, expect, test } from '@jest/globals';
import { loadSettings, SettingsError } from '@tessera/config';
import { SsoSettings } from './sso-settings.js';

type Values = Readonly<Record<string, string>>;

const AUTH = 'sso.authentication';
const FROM = `${AUTH}.attributes-from`;
const COMPUTED = `${AUTH}.computed-attributes`;
const OPTIONAL = `${AUTH}.attributes-optional`;

/** A query with its settings below a name, or without one. */
const sql = (name = '', values: Values = {}): Values => {
  const all = { url: 'postgresql://u:geheim@db/hr', query: 'select mail from p where u = $1' };
  const prefix = [`${AUTH}.sql`, name].filter(Boolean).join('.');
  return Object.fromEntries(
    Object.entries({ ...all, ...values }).map(([key, value]) => [`${prefix}.${key}`, value]),
  );
};

const DIRECTORY: Values = {
  [`${AUTH}.ldap.directories`]: 'staff',
  [`${AUTH}.ldap.staff.urls`]: 'ldap://a',
  [`${AUTH}.ldap.staff.base-dn`]: 'dc=a',
};

const load = (values: Values) =>
  loadSettings(SsoSettings, {
    application: 'sso',
    env: {},
    argv: [
      '--profiles.active=dev',
      ...Object.entries(values).map(([key, value]) => `--${key}=${value}`),
    ],
  });

async function violations(values: Values): Promise<readonly string[]> {
  const error: unknown = await load(values).catch((thrown: unknown) => thrown);
  if (!(error instanceof SettingsError)) throw new Error('the settings were taken');
  return error.lines.map((line) => line.replace(/ \(.*/, ''));
}

describe('sources of attributes are refused', () => {
  const names = `must list accounts, ldap, sql, names of directories or of SQL queries`;
  test.each<[string, Values, readonly string[]]>([
    ['with an unknown name', { [FROM]: 'accounts,hr' }, [`${FROM}: ${names}, not "hr"`]],
    ['with a name twice', { [FROM]: 'accounts,accounts' }, [`${FROM}: lists a name twice`]],
    ['without a query that has settings', sql('hr'), [`${FROM}: must list hr, which has settings`]],
    ['without the query that has settings', sql(), [`${FROM}: must list sql, which has settings`]],
    [
      'with an optional one that is none',
      { [FROM]: 'accounts', [OPTIONAL]: 'hr' },
      [`${OPTIONAL}: must list names of ${FROM}, not "hr"`],
    ],
    [
      'with an unknown rule',
      { [`${AUTH}.attributes-merge`]: 'none' },
      [`${AUTH}.attributes-merge: must be one of replace, add, multi-valued`],
    ],
    [
      'with templates that are none, the first with its column',
      { [COMPUTED]: JSON.stringify({ cn: '{sn}', a: '{sn|x}', b: 'x{' }) },
      [`${COMPUTED}: entry 2, "a", has the unknown function "x" at column 5`],
    ],
    [
      'with a computed attribute that may hold passwords',
      { [COMPUTED]: JSON.stringify({ userPassword: '{sn}' }) },
      [
        `${COMPUTED}: entry 1, "userPassword", is named as if it held passwords or their hashes, and services receive attributes`,
      ],
    ],
    [
      'with a computed attribute that has no name',
      { [COMPUTED]: JSON.stringify({ ' a': '{sn}' }) },
      [`${COMPUTED}: entry 1, " a", is no name of an attribute`],
    ],
    [
      'with too many computed attributes',
      {
        [COMPUTED]: JSON.stringify(
          Object.fromEntries(Array.from({ length: 101 }, (_, n) => [`a${n}`, 'x'])),
        ),
      },
      [`${COMPUTED}: must have at most 100 entries`],
    ],
    [
      'with too long a time in the cache',
      { [`${AUTH}.attributes-cache`]: '61m' },
      [`${AUTH}.attributes-cache: must not be greater than 1h`],
    ],
    [
      'with a directory that has no servers',
      { [FROM]: 'ldap', [`${AUTH}.handlers`]: 'accounts' },
      [
        `${AUTH}.ldap.urls: is required by ${FROM}=ldap`,
        `${AUTH}.ldap.base-dn: is required by ${FROM}=ldap`,
      ],
    ],
    [
      'with a named directory that cannot be searched',
      {
        [FROM]: 'staff',
        [`${AUTH}.ldap.directories`]: 'staff',
        [`${AUTH}.ldap.staff.urls`]: 'ldap://a',
        [`${AUTH}.ldap.staff.user-dn`]: 'uid={username},dc=a',
      },
      [`${AUTH}.ldap.staff.user-dn: excludes the search that ${FROM}=staff needs: give base-dn`],
    ],
  ])('%s', async (_what, values, expected) => {
    expect(await violations(values)).toEqual(expected);
  });

  test.each<[string, Values, string]>([
    ['without a URL', sql('hr', { url: '' }), 'hr.url: is required by the query'],
    [
      'of another kind of database',
      sql('hr', { url: 'mysql://u:geheim@db/hr' }),
      'hr.url: must be postgresql://user:password@host/database',
    ],
    [
      'of several hosts',
      sql('hr', { url: 'postgresql://u:geheim@one,two/hr' }),
      'hr.url: must name one host',
    ],
    [
      'that is none',
      sql('hr', { query: 'delete from p where u = $1' }),
      'hr.query: must be a select',
    ],
    [
      'without the name of the user',
      sql('hr', { query: 'select mail from p' }),
      'hr.query: must have $1, the name of the user, alone',
    ],
    [
      'with another parameter',
      sql('hr', { query: 'select mail from p where u = $1 and d = $2' }),
      'hr.query: must have $1, the name of the user, alone',
    ],
    ['with no time', sql('hr', { timeout: '1ms' }), 'hr.timeout: must not be less than 10ms'],
    ['with too much time', sql('hr', { timeout: '2m' }), 'hr.timeout: must not be greater than 1m'],
    [
      'with no connection',
      sql('hr', { 'pool-size': '0' }),
      'hr.pool-size: must not be less than 1',
    ],
    [
      'with too many connections',
      sql('hr', { 'pool-size': '101' }),
      'hr.pool-size: must not be greater than 100',
    ],
  ])('if a query is %s', async (_what, values, expected) => {
    const found = await violations({ ...values, [FROM]: 'hr' });
    expect(found).toEqual([`${AUTH}.sql.${expected}`]);
    expect(found.join('')).not.toContain('geheim');
  });

  test.each(['accounts', 'ldap', 'x509', 'staff'])('if a query has the name %s', async (name) => {
    const found = await violations({ ...DIRECTORY, ...sql(name), [FROM]: name });
    expect(found).toEqual([
      `${AUTH}.sql.${name}.query: must be below another name: ${name} is taken`,
    ]);
  });
});

test('sources of attributes are read in their order, queries with and without a name', async () => {
  const given = { ...DIRECTORY, ...sql(), ...sql('hr', { timeout: '3s', result: 'name-value' }) };
  const { settings } = await load({ ...given, [FROM]: 'staff,hr,accounts,sql', [OPTIONAL]: 'hr' });
  expect(settings.principals).toMatchObject({
    attributesFrom: ['staff', 'hr', 'accounts', 'sql'],
    optionalSources: ['hr'],
    mergeRule: 'replace',
    cacheFor: 0,
  });
  expect(
    settings.sqlSources.map(({ handler, timeout, result }) => [handler, timeout, result]),
  ).toEqual([
    ['sql', 2_000, 'columns'],
    ['hr', 3_000, 'name-value'],
  ]);
  expect(settings.files).toEqual([]);
});

test('the single value of before is a list of one', async () => {
  const { settings } = await load({ [FROM]: 'accounts' });
  expect(settings.principals.attributesFrom).toEqual(['accounts']);
});
