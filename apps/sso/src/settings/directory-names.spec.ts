import { describe, expect, test } from '@jest/globals';
import { loadSettings, SettingsError } from '@tessera/config';
import { SsoSettings } from './sso-settings.js';

const KEY = 'sso.authentication.ldap';

type Values = Readonly<Record<string, string>>;

/** With a minimum of settings for each directory, below its name. */
const directories = (...names: readonly string[]): Values =>
  Object.fromEntries(
    names.flatMap((name) => [
      [`${KEY}.${name}.urls`, `ldaps://${name}.example.org`],
      [`${KEY}.${name}.base-dn`, `dc=${name}`],
    ]),
  );

const load = (values: Values, env: Values = {}) =>
  loadSettings(SsoSettings, {
    application: 'sso',
    env: { DATABASE_URL: 'postgresql://localhost/x', ...env },
    argv: Object.entries({ 'sso.authentication.handlers': 'ldap', ...values }).map(
      ([key, value]) => `--${key}=${value}`,
    ),
    directory: '/nonexistent',
    credentialDirectories: [],
  });

async function violations(values: Values): Promise<readonly string[]> {
  const error: unknown = await load(values).catch((thrown: unknown) => thrown);
  if (error instanceof SettingsError) {
    return error.lines.map((line) => line.slice(KEY.length + 1).replace(/ \([^)]*\)$/, ''));
  }
  throw new Error('the settings were taken', { cause: error });
}

const namesOf = ({ directories: all }: SsoSettings) => all.map(({ handler }) => handler);

describe('the directories are', () => {
  test('one without a name, whose handler is ldap', async () => {
    const { settings } = await load({ [`${KEY}.urls`]: 'ldap://a', [`${KEY}.base-dn`]: 'dc=a' });
    expect(namesOf(settings)).toEqual(['ldap']);
    expect(settings.directories[0]?.options()).toMatchObject({ name: 'ldap', urls: ['ldap://a'] });
  });

  test('several in the order of the list, each with its own settings', async () => {
    const { settings } = await load(
      {
        ...directories('students', 'staff', 'old-staff'),
        [`${KEY}.directories`]: 'staff,old-staff,students',
        [`${KEY}.staff.bind-dn`]: 'cn=search',
        [`${KEY}.staff.ca-file`]: '/staff.pem',
        [`${KEY}.students.attributes`]: '{"cn":"name"}',
      },
      {
        SSO_AUTHENTICATION_LDAP_STAFF_BIND_PASSWORD: ' geheim ',
        SSO_AUTHENTICATION_LDAP_OLD_STAFF_CONNECT_TIMEOUT: '100ms',
      },
    );
    expect(namesOf(settings)).toEqual(['staff', 'old-staff', 'students']);
    expect(settings.directories.map((each) => each.options())).toMatchObject([
      {
        name: 'staff',
        urls: ['ldaps://staff.example.org'],
        users: { account: { dn: 'cn=search', password: ' geheim ' } },
        caFile: { setting: `${KEY}.staff.ca-file`, path: '/staff.pem' },
        connectTimeout: 1_000,
      },
      { name: 'old-staff', users: { base: 'dc=old-staff' }, connectTimeout: 100 },
      { name: 'students', attributes: { cn: 'name' }, idAttribute: 'uid' },
    ]);
    expect(settings.files).toEqual(['/staff.pem']);
  });
});

describe('the directories are refused', () => {
  const listed = { [`${KEY}.directories`]: 'a,b' };

  test.each<[string, Values, readonly string[]]>([
    [
      'with a name without settings',
      { ...directories('a'), ...listed },
      ['directories: lists a name that has no settings: b'],
    ],
    [
      'with settings below a name that is not listed',
      { ...directories('a', 'b', 'c'), ...listed },
      ['directories: must list c, which has settings'],
    ],
    [
      'with names and no list',
      directories('a'),
      [
        'directories: must list a, which has settings',
        'urls: is required by the handler ldap',
        `base-dn: or ${KEY}.user-dn is required by the handler ldap`,
      ],
    ],
    [
      'with a setting that has no name beside those that have',
      { ...directories('a', 'b'), ...listed, [`${KEY}.timeout`]: '5s' },
      ['directories: excludes settings of a directory without a name: give them below a name'],
    ],
    [
      'with a name twice',
      { ...directories('a'), [`${KEY}.directories`]: 'a,a' },
      ['directories: lists a name twice'],
    ],
    [
      'with the name of another handler',
      { ...directories('x509'), [`${KEY}.directories`]: 'x509' },
      ['directories: may not list x509, which has another meaning in logs'],
    ],
    ...['Staff', 'a_b', '-', 'a--b', 'a.b', 'x'.repeat(33)].map(
      (name): [string, Values, readonly string[]] => [
        `with the name ${name}`,
        { ...directories('a'), [`${KEY}.directories`]: `a,${name}` },
        [
          `directories: must list names of lower-case letters, digits and -, of at most 32, not "${name}"`,
        ],
      ],
    ),
    [
      'where each breaks a rule, by its own keys',
      {
        ...directories('a', 'b'),
        ...listed,
        [`${KEY}.a.base-dn`]: 'x',
        [`${KEY}.b.bind-dn`]: 'cn=b',
        [`${KEY}.b.timeout`]: '1ms',
        'sso.authentication.attributes-from': 'ldap',
      },
      [
        'b.timeout: must not be less than 10ms',
        'a.base-dn: must be a distinguished name such as dc=example,dc=org',
        `b.bind-password: is required with ${KEY}.b.bind-dn`,
      ],
    ],
    [
      'where one cannot be searched for attributes',
      {
        [`${KEY}.directories`]: 'a',
        [`${KEY}.a.urls`]: 'ldap://a',
        [`${KEY}.a.user-dn`]: 'uid={0},dc=a',
        'sso.authentication.attributes-from': 'ldap',
      },
      [
        'a.user-dn: excludes the search that sso.authentication.attributes-from=ldap needs: give base-dn',
      ],
    ],
  ])('%s', async (_what, values, expected) => {
    expect(await violations(values)).toEqual(expected);
  });
});
