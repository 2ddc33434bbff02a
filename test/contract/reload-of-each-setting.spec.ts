// Every setting of both applications: a reload takes another value of what is described as live, and reports the others as
// waiting for a restart. No application is created: `prepare` is called for exactly the changes that would create one.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { describeSettings, ReloadableSettings, type SettingDescription } from '@tessera/config';
import { newKeyFile, sha256 } from '@tessera/crypto';
import { ConfigServerSettings } from '../../apps/config-server/src/settings/config-server-settings.js';
import { SsoSettings } from '../../apps/sso/src/settings/sso-settings.js';
import { makeFolder, removeFolder } from '../support/folders.js';

type Values = Readonly<Record<string, unknown>>;

const PAGE = join(import.meta.dirname, '../../docs/reload.md');
const HTTPS = 'https://x.example.org';
const ADDRESS = '192.0.2.1';
const LONG = 'x'.repeat(20);
const PROTECTION = 'sso.standalone.security.';

/** They decide what is read: a reload that finds another value is refused. */
const IDENTITY = ['application.name', 'profiles.active', 'settings.location'];

/** Another valid value by kind. */
const BY_KIND: Values = {
  duration: '30s',
  list: 'x',
  number: '0.5',
  secret: 'x',
  'secret list': 'x',
  text: 'x',
};

/** Where the one by kind is not valid. */
const BY_KEY: Values = {
  'audit.retention': '30d',
  'config-server.backends': 'postgres',
  'config-server.git.known-hosts-file': '/x',
  'config-server.git.private-key-file': '/x',
  'config-server.git.repos': { x: `${HTTPS}/x` },
  'config-server.git.timeout': '31s',
  'config-server.git.uri': `${HTTPS}/x`,
  'config-server.git.webhook-secret': LONG,
  'config-server.git.webhook-token': LONG,
  'config-server.host': '::1',
  'config-server.overrides': { x: 'x' },
  'config-server.vault.uri': HTTPS,
  'database.url': 'postgresql://localhost/other',
  'encrypt.salt': 'ab',
  'management.base-url': HTTPS,
  'management.metrics.allowed-addresses': ADDRESS,
  'sso.authentication.attributes-cache': '30s',
  'sso.authentication.computed-attributes': { x: '{mail}' },
  'sso.authentication.handlers': 'static',
  'sso.authentication.ldap.attributes': { mail: 'x' },
  'sso.authentication.ldap.base-dn': 'dc=x',
  'sso.authentication.ldap.connect-timeout': '20ms',
  'sso.authentication.ldap.filter': '(cn={username})',
  'sso.authentication.ldap.groups-base-dn': 'dc=x',
  'sso.authentication.ldap.urls': 'ldap://localhost',
  'sso.authentication.ldap.user-dn': 'uid={username},dc=x',
  'sso.base-url': HTTPS,
  'sso.config-server.retry.initial-interval': '10ms',
  'sso.config-server.url': HTTPS,
  'sso.login.keys': `v1.12345678.${'A'.repeat(43)}`,
  'sso.management.token': LONG,
  'sso.modules': 'rest',
  'sso.oidc.sealing-keys': `v1.12345678.${'A'.repeat(43)}`,
  'sso.outgoing.allowed-addresses': ADDRESS,
  'sso.proxies.trusted': ADDRESS,
  'sso.rest.x509.principal': 'cn',
  'sso.rest.x509.trusted-hosts': ADDRESS,
  [`${PROTECTION}initialization-vector`]: true,
  [`${PROTECTION}salt`]: 'ab',
  'sso.theme.accent-color': '#123456',
  'sso.throttle.rest.address-threshold': 50,
  'sso.workers': '2',
  'tracing.otlp.headers': 'x: y',
  'tracing.otlp.url': HTTPS,
};

const CLIENT = { 'token-hash': sha256('x'), applications: '*' };
const PROXY = { uri: 'http://x:1', username: 'x', password: 'x', 'no-proxy': 'x' };
const SQL = {
  'attributes-from': 'sql',
  'sql.url': 'postgresql://x/x',
  'sql.query': 'select $1 as x',
};
const TLS = { 'certificate-file': 'x', 'key-file': 'x', 'key-passphrase': 'x' };

/** Settings that a rule asks for together. */
const TOGETHER: readonly Values[] = [
  { 'config-server.clients': { a: CLIENT }, 'config-server.proxies.trusted': ADDRESS },
  beginning('config-server.git.', { username: 'x', password: 'x' }),
  beginning('config-server.git.proxy.', PROXY),
  beginning('config-server.tls.', TLS),
  beginning('config-server.vault.app-role.', { 'role-id': 'x', 'secret-id': 'x' }),
  { 'encrypt.format': 'spring', 'encrypt.key': 'x' },
  { 'logging.level.root': 'debug' },
  beginning('encrypt.key-store.', { alias: 'x', location: 'x', password: 'x', secret: 'x' }),
  beginning('management.', { 'role-name': 'x', 'operator-role': 'x', 'read-only-role': 'y' }),
  beginning('sso.authentication.ldap.', { directories: 'x', 'x.scope': 'one' }),
  beginning('sso.authentication.ldap.', { 'bind-dn': 'cn=x', 'bind-password': 'x' }),
  beginning('sso.authentication.', {
    'attributes-from': 'accounts',
    'attributes-optional': 'accounts',
  }),
  ...Object.entries({ timeout: '3s', 'pool-size': 3, result: 'name-value' }).map(([name, value]) =>
    beginning('sso.authentication.', { ...SQL, [`sql.${name}`]: value }),
  ),
  { 'sso.oidc.claims': { email: 'x' }, 'sso.oidc.scopes': { x: ['email'] } },
  beginning('sso.authentication.static.', { attributes: { ann: { mail: 'x' } }, users: 'ann::x' }),
  beginning('sso.config-server.', { username: 'x', password: 'x' }),
  beginning('sso.management.', { 'role-name': 'x', 'role-value': 'x' }),
  beginning('sso.rest.services.', { 'role-name': 'x', 'role-value': 'x' }),
  beginning('sso.rest.x509.header.', { name: 'x', proxies: ADDRESS }),
  beginning('sso.theme.links.', { password: HTTPS, help: HTTPS, privacy: HTTPS, imprint: HTTPS }),
  beginning('sso.tls.', { ...TLS, 'client-ca-file': 'x', 'client-certificates': 'request' }),
  beginning('vault.', { uri: HTTPS, token: 'x' }),
];

function beginning(prefix: string, values: Values): Values {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [`${prefix}${name}`, value]),
  );
}

/** Another value, with others that it needs. */
function otherValues(setting: SettingDescription): Values {
  const { key } = setting;
  const isOf = (each: string): boolean => each === key || each.startsWith(`${key}.`);
  const group = TOGETHER.find((each) => Object.keys(each).some(isOf));
  return group ?? { [key]: other(setting) };
}

function other({ key, kind, words, defaultValue }: SettingDescription): unknown {
  if (key in BY_KEY) return BY_KEY[key];
  if (words.length > 0) return words.find((word) => word !== defaultValue);
  if (kind === 'true or false') return defaultValue !== 'true';
  if (kind === 'whole number') return defaultValue === '' ? 5 : Number(defaultValue) + 1;
  return BY_KIND[kind];
}

describe.each([
  ['sso', SsoSettings],
  ['config-server', ConfigServerSettings],
] as const)('a reload of %s', (application, settingsClass) => {
  /** Sources of their own for what may not be in a file. */
  const env: Record<string, string | undefined> = {};
  let folder: string;
  let settings: ReloadableSettings<SsoSettings | ConfigServerSettings>;

  const write = (values: Values): Promise<void> =>
    writeFile(join(folder, 'config/application.yml'), JSON.stringify(values));

  beforeAll(async () => {
    folder = await makeFolder();
    await mkdir(join(folder, 'config'));
    await mkdir(join(folder, 'other'));
    await writeFile(join(folder, 'x'), newKeyFile(), { mode: 0o600 });
    await write({});
    settings = await ReloadableSettings.load<SsoSettings | ConfigServerSettings>(settingsClass, {
      application,
      argv: [],
      env: Object.assign(env, { DATABASE_URL: 'postgresql://localhost/x' }),
      directory: folder,
      credentialDirectories: [],
    });
  });
  afterAll(() => removeFolder(folder));

  /** The outcome of a reload that is then discarded. */
  async function reload(values: Values) {
    let isPrepared = false;
    await write(values);
    const { changed, restart, discard } = await settings.stage(() => {
      isPrepared = true;
      return Promise.resolve({ commit: () => {}, discard: () => {} });
    });
    discard();
    return { changed, restart, isPrepared };
  }

  /** With a variable of the environment. */
  async function withVariable<T>(key: string, value: unknown, work: () => Promise<T>): Promise<T> {
    const name = key.toUpperCase().replace(/[.-]/g, '_');
    const before = env[name];
    env[name] = String(value);
    try {
      return await work();
    } finally {
      env[name] = before;
    }
  }

  const described = describeSettings(settingsClass).filter(({ key }) => !IDENTITY.includes(key));
  // The URL of the start, and what decrypts values, is not in a file.
  const isOfEnvironment = (key: string): boolean =>
    key === 'database.url' || key.startsWith(PROTECTION);

  test.each(described)('$key, whose change is live: $isLive', async (setting) => {
    const values = otherValues(setting);
    const changed = Object.keys(values).toSorted();
    const outcome = isOfEnvironment(setting.key)
      ? await withVariable(setting.key, values[setting.key], () => reload({}))
      : await reload(values);
    const { isLive } = setting;
    const restart = isLive ? [] : changed;
    expect(outcome).toEqual({ changed, restart, isPrepared: isLive });
  });

  test.each(IDENTITY)('with another %s is refused', async (key) => {
    const refused = withVariable(key, 'other', () => reload({}));
    const message = `${key}: can only change at a restart`;
    await expect(refused).rejects.toMatchObject({ lines: [message] });
  });
});

test('the page on reloading lists the settings that need a restart', async () => {
  const page = await readFile(PAGE, 'utf8');
  const [, section = ''] = page.split('## Settings that need a restart');
  const [table = ''] = /(?:^\|.*\n)+/m.exec(section) ?? [];
  const listed = Array.from(table.matchAll(/`([^`]+)`/g), ([, key = '']) => key);
  const settings = [SsoSettings, ConfigServerSettings].flatMap((each) => describeSettings(each));
  const restart = settings.flatMap(({ key, isLive }) => (isLive ? [] : [key]));
  expect(restart.filter((key) => !listed.some((each) => covers(each, key)))).toEqual([]);
  expect(listed.filter((each) => !restart.some((key) => covers(each, key)))).toEqual([]);
});

/** `sso.tls.*` covers all keys below. */
function covers(listed: string, key: string): boolean {
  return listed.endsWith('*') ? key.startsWith(listed.slice(0, -1)) : key === listed;
}
