import { describe, expect, test } from '@jest/globals';
import { CoreSettings, Group, loadSettings, Secret, SettingsError } from '@tessera/config';
import { LdapSettings } from './ldap-settings.js';
import { PrincipalSettings } from './principal-settings.js';

class Holder extends CoreSettings {
  handlers = ['ldap'];
  sqlSources = [];
  @Group(LdapSettings) readonly ldap = new LdapSettings();
  @Group(PrincipalSettings) readonly principals = new PrincipalSettings();

  get directories(): readonly LdapSettings[] {
    return [this.ldap];
  }
}

type Given = Partial<Omit<LdapSettings, 'check' | 'options'>>;

const PREFIX = 'sso.authentication.ldap';
const SOURCE = 'sso.authentication.attributes-from=ldap';
const GOOD: Given = { urls: ['ldaps://ldap.example.org'], baseDn: 'dc=example,dc=org' };
const NAMED: Given = { urls: GOOD.urls ?? [], userDn: 'uid={username},dc=example,dc=org' };

const settingsOf = (given: Given) => Object.assign(new LdapSettings(), given);
const violations = (given: Given, holder: Partial<Holder> = {}) => {
  const ldap = settingsOf(given);
  return [...ldap.check(Object.assign(new Holder(), { ldap }, holder))].map(
    ({ key, message }) => `${key} ${message}`,
  );
};

test('groups are searched below base-dn, and not without the setting', () => {
  expect(settingsOf(GOOD).options().groups).toBeUndefined();
  const given = { ...GOOD, groups: 'nested' } as const;
  const expected = { depth: 'nested', base: GOOD.baseDn, value: 'cn', attribute: 'memberOf' };
  expect(settingsOf(given).options().groups).toEqual(expected);
  const base = 'ou=groups,dc=org';
  expect(settingsOf({ ...given, groupsBaseDn: base }).options().groups).toEqual({
    ...expected,
    base,
  });
});

describe('the settings of LDAP', () => {
  const secret = new Secret('geheim');
  test.each<[string, Given, string]>([
    ['no server', { ...GOOD, urls: [] }, 'urls is required by the handler ldap'],
    ['no way to users', { ...GOOD, baseDn: '' }, `base-dn or ${PREFIX}.user-dn is required`],
    ['a server by its name alone', { ...GOOD, urls: ['ldap.example.org'] }, 'urls must list'],
    ['a web server', { ...GOOD, urls: ['https://ldap.example.org'] }, 'urls must list'],
    ['a server with a path', { ...GOOD, urls: ['ldap://a/dc=org'] }, 'urls must list'],
    ['a server with a user', { ...GOOD, urls: ['ldap://cn=a:geheim@a'] }, 'urls must list'],
    ['a server without a host', { ...GOOD, urls: ['ldap://'] }, 'urls must list'],
    ['a server on no port', { ...GOOD, urls: ['ldap://a:99999'] }, 'urls must list'],
    ['a base that is no name', { ...GOOD, baseDn: 'example.org' }, 'base-dn must be a'],
    ['a filter for nobody', { ...GOOD, filter: '(uid=*)' }, 'filter must hold {username}'],
    ['an account without a password', { ...GOOD, bindDn: 'cn=a' }, 'bind-password is required'],
    [
      'an account with an empty password',
      { ...GOOD, bindDn: 'cn=a', bindPassword: new Secret('') },
      'bind-password is required',
    ],
    ['a password without an account', { ...GOOD, bindPassword: secret }, 'bind-dn is required'],
    [
      'a mechanism as the account',
      { ...GOOD, bindDn: 'EXTERNAL', bindPassword: secret },
      'bind-dn must be a distinguished name',
    ],
    ['names without a place', { ...NAMED, userDn: 'uid=alice' }, 'user-dn must be a'],
    ['both ways to users', { ...NAMED, baseDn: 'dc=org' }, 'user-dn excludes a search'],
    [
      'two attributes that may be the id',
      { ...GOOD, filter: '(|(uid={username})(mail={username}))' },
      'id-attribute is required where',
    ],
    ['an id of no attribute', { ...GOOD, idAttribute: 'uid;x' }, 'id-attribute must be the name'],
    ['an attribute without a name', { ...GOOD, attributes: { mail: '' } }, 'attributes must map'],
    [
      'an attribute that holds passwords',
      { ...GOOD, attributes: { userPassword: 'x' } },
      'attributes may not hold "userPassword": it is named as if it held passwords',
    ],
    ['an attribute that is none', { ...GOOD, attributes: { 'a b': 'x' } }, 'attributes must map'],
    ['a pattern that is none', { ...GOOD, namePattern: '(' }, 'name-pattern is not an RE2 pattern'],
    [
      'an attribute of expiry that is none',
      { ...GOOD, passwordExpiry: 'a b' },
      'password-expiry must be the name',
    ],
    [
      'a change of passwords in Active Directory without TLS',
      { ...GOOD, urls: ['ldap://127.0.0.1'], passwordChange: 'ad' },
      'password-change may be ad only over ldaps',
    ],
    [
      'bytes of no attribute',
      { ...GOOD, binaryAttributes: ['jpegPhoto', 'a b'] },
      'binary-attributes must list names of LDAP attributes, not "a b"',
    ],
    ['groups without a search', { ...NAMED, groups: 'nested' }, 'groups needs a search for users'],
    [
      'groups below no name',
      { ...GOOD, groups: 'direct', groupsBaseDn: 'groups' },
      'groups-base-dn must be a distinguished name',
    ],
    [
      'groups of no attribute',
      { ...GOOD, groups: 'direct', groupsValue: 'a b' },
      'groups-value must be dn, or',
    ],
    [
      'passwords of groups',
      { ...GOOD, groups: 'direct', groupsValue: 'userPassword' },
      'groups-value must be dn, or',
    ],
    [
      'groups under the name of another attribute',
      { ...GOOD, groups: 'direct', groupsAttribute: 'mail' },
      'groups-attribute must be a name that',
    ],
    [
      'groups without a name',
      { ...GOOD, groups: 'direct', groupsAttribute: '' },
      'groups-attribute must be a name that',
    ],
    ['less time than to connect', { ...GOOD, timeout: 500 }, 'timeout must not be less than'],
  ])('refuse %s', (_what, given, message) => {
    const found = violations(given);
    expect(found).toHaveLength(1);
    expect(found[0]).toMatch(new RegExp(`^${escaped(`${PREFIX}.${message}`)}`));
    expect(found.join('')).not.toContain('geheim');
  });

  test('refuse unencrypted passwords in production, except on loopback', () => {
    const unencrypted = { ...GOOD, urls: ['ldaps://a', 'ldap://ldap.example.org'] };
    const production = { profiles: ['production'] };
    expect(violations(unencrypted)).toEqual([]);
    expect(violations(unencrypted, production)).toEqual([
      `${PREFIX}.urls must be ldaps, or ldap with start-tls, in profile production`,
    ]);
    expect(violations({ ...unencrypted, startTls: true }, production)).toEqual([]);
    expect(violations({ ...GOOD, urls: ['ldap://127.0.0.1:389'] }, production)).toEqual([]);
  });

  test('require nothing where no handler needs them', () => {
    expect(violations({}, { handlers: ['accounts'] })).toEqual([]);
  });

  test.each<[string, Given, readonly string[], readonly string[]]>([
    [
      'no directory',
      {},
      ['accounts'],
      [`urls is required by ${SOURCE}`, `base-dn is required by ${SOURCE}`],
    ],
    [
      'direct binds',
      NAMED,
      ['ldap'],
      [`user-dn excludes the search that ${SOURCE} needs: give base-dn`],
    ],
    [
      'direct binds that no handler uses',
      NAMED,
      ['accounts'],
      [`user-dn excludes the search that ${SOURCE} needs: give base-dn`],
    ],
    ['a search', GOOD, ['accounts'], []],
    ['a search that the handler uses too', GOOD, ['ldap'], []],
  ])(
    'report missing settings of attributes from a directory with %s',
    (_what, given, handlers, expected) => {
      const principals = Object.assign(new PrincipalSettings(), {
        attributesFrom: ['ldap'],
      });
      expect(violations(given, { handlers: [...handlers], principals })).toEqual(
        expected.map((each) => `${PREFIX}.${each}`),
      );
    },
  );

  test.each<[string, Given, object]>([
    ['the name searched by', GOOD, { idAttribute: 'uid' }],
    [
      'the one that a filter compares',
      { ...GOOD, filter: '(&(objectClass=user)(sAMAccountName={0}))' },
      { idAttribute: 'samaccountname' },
    ],
    ['the one that names entries', NAMED, { idAttribute: 'uid' }],
    [
      'the one that is given',
      { ...NAMED, idAttribute: 'employeeNumber' },
      { idAttribute: 'employeeNumber' },
    ],
  ])('use as the id %s', (_what, given, expected) => {
    expect(violations(given)).toEqual([]);
    expect(settingsOf(given).options()).toMatchObject(expected);
  });

  test('are read under their keys', async () => {
    const { settings } = await loadSettings(Holder, {
      application: 'sso',
      env: { SSO_AUTHENTICATION_LDAP_BIND_PASSWORD: ' geheim ' },
      argv: [
        '--sso.authentication.ldap.urls=ldap://a:1389,ldaps://b',
        '--sso.authentication.ldap.start-tls=true',
        '--sso.authentication.ldap.ca-file=/etc/ca.pem',
        '--sso.authentication.ldap.bind-dn=cn=search,dc=org',
        '--sso.authentication.ldap.base-dn=dc=org',
        '--sso.authentication.ldap.scope=one',
        '--sso.authentication.ldap.filter=(mail={0})',
        '--sso.authentication.ldap.name-pattern=a.*',
        '--sso.authentication.ldap.id-attribute=uid',
        '--sso.authentication.ldap.attributes={"cn": "name"}',
        '--sso.authentication.ldap.connect-timeout=500ms',
        '--sso.authentication.ldap.timeout=3s',
        '--sso.authentication.ldap.retry-interval=1m',
        '--sso.authentication.ldap.pool-size=2',
      ],
    });
    expect(settings.ldap.namePattern).toBe('a.*');
    expect(settings.ldap.options()).toEqual({
      name: 'ldap',
      urls: ['ldap://a:1389', 'ldaps://b'],
      startTls: true,
      binaryAttributes: ['objectGUID', 'mS-DS-ConsistencyGuid'],
      groups: undefined,
      caFile: { setting: `${PREFIX}.ca-file`, path: '/etc/ca.pem' },
      users: {
        base: 'dc=org',
        scope: 'one',
        filter: '(mail={username})',
        account: { dn: 'cn=search,dc=org', password: ' geheim ' },
      },
      idAttribute: 'uid',
      attributes: { cn: 'name' },
      connectTimeout: 500,
      timeout: 3_000,
      retryInterval: 60_000,
      poolSize: 2,
    });
  });

  test('have their violations reported with all others', async () => {
    const loading = loadSettings(Holder, {
      application: 'sso',
      env: {},
      argv: [`--${PREFIX}.pool-size=0`, `--${PREFIX}.base-dn=x`],
    });
    await expect(loading).rejects.toThrow(SettingsError);
    await expect(loading).rejects.toThrow(/pool-size: [^]*urls: is required[^]*base-dn: must be/);
  });
});

function escaped(text: string): string {
  return text.replaceAll(/[.(){}|]/g, String.raw`\$&`);
}
