// Every setting of both applications: a protected value that is refused is told as a plain one is, without any part of it.
import { beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  type CoreSettings,
  ReloadableSettings,
  type ReportedViolation,
  SettingsError,
} from '@tessera/config';
import { ConfigServerSettings } from '../../apps/config-server/src/settings/config-server-settings.js';
import { SsoSettings } from '../../apps/sso/src/settings/sso-settings.js';

type SettingsClass = new () => CoreSettings;

/** What makes rules look at as many settings as they can. */
const SURROUNDINGS: readonly (readonly [
  string,
  SettingsClass,
  Readonly<Record<string, string>>,
])[] = [
  ['sso in profile dev', SsoSettings, { 'profiles.active': 'dev' }],
  [
    'sso in profile production',
    SsoSettings,
    {
      'profiles.active': 'production',
      'sso.modules': 'rest,rest-services,rest-x509',
      'sso.authentication.handlers': 'ldap,static',
      'sso.authentication.ldap.urls': 'ldap://directory',
      'sso.authentication.static.users': 'ada::secret',
      'sso.tls.key-file': 'key.pem',
      'sso.config-server.url': 'https://config',
      'vault.uri': 'https://vault',
    },
  ],
  ['config-server in profile dev', ConfigServerSettings, { 'profiles.active': 'dev' }],
  [
    'config-server in profile production',
    ConfigServerSettings,
    {
      'profiles.active': 'production',
      'config-server.backends': 'git,vault,postgres,native',
      'config-server.git.uri': 'http://git/a.git',
      'config-server.vault.uri': 'https://vault',
      'encrypt.key-store.location': 'a.p12',
    },
  ],
];

type Kind = (secret: string) => unknown;

/** Values of which each is wrong for many settings, with a secret within. */
const KINDS: readonly Kind[] = [
  (secret) => secret,
  (secret) => `${secret},${secret}`,
  (secret) => `1${secret}`,
  (secret) => secret.repeat(60),
  (secret) => `../${secret}`,
  (secret) => `/${secret}{x}`,
  (secret) => ` \u0000${secret}`,
  (secret) => `${secret}::a,${secret}::b`,
  (secret) => `https://user:${secret}@${secret}/?${secret}`,
  (secret) => `http://${secret}.example.org/`,
  (secret) => `ldap://${secret}`,
  (secret) => `10.0.0.0/${secret}`,
  (secret) => `(${secret}`,
  (secret) => `(?P<${secret}`,
  (secret) => `[${secret}`,
  (secret) => `\\Q\\${secret}`,
  (secret) => `(uid=${secret}*)`,
  (secret) => `dc=${secret},${secret}`,
  (secret) => `attribute:${secret}!`,
  (secret) => `-----BEGIN PRIVATE KEY-----\n${secret}\n-----END PRIVATE KEY-----`,
  (secret) => `{"${secret}":`,
  (secret) => `{"${secret}":{"${secret}":["${secret}"]}}`,
  (secret) => [secret, secret],
  (secret) => [secret, { [secret]: secret }],
  (secret) => ({ [secret]: secret }),
  (secret) => ({ [secret]: { [secret]: [secret, {}] } }),
  (secret) => ({ [secret]: { 'token-hash': 'a'.repeat(64), applications: [`${secret}*`] } }),
  (secret) => ({ [`${secret}Password`]: '' }),
];

/** Letters of which no message has several beside each other. */
const SECRET = fc.string({
  unit: fc.constantFrom('q', 'x', 'z', 'j', 'k', 'Q', '7', '9'),
  minLength: 12,
  maxLength: 12,
});
const PIECE = 5;

describe.each(SURROUNDINGS)('%s tells', (_name, settingsClass, surroundings) => {
  const own = new Set(Object.keys(surroundings));
  let keys: readonly string[];

  beforeAll(async () => {
    const declared = [...(await declaredKeys(settingsClass)), 'logging.level.x'];
    keys = declared.filter((key) => !own.has(key));
  });

  /** Of the surroundings, with the value at each of the keys. */
  const problems = (given: readonly string[], value: unknown, isProtected: boolean) => {
    const plain = Object.entries(surroundings).map(([key, text]) => [key, rawValue(text, false)]);
    const wrong = given.map((key) => [key, rawValue(value, isProtected)]);
    return problemsOf(settingsClass, [...plain, ...wrong]);
  };

  const compare = async (given: readonly string[], kind: Kind, secret: string): Promise<void> => {
    const plain = await problems(given, kind(secret), false);
    const hidden = await problems(given, kind(secret), true);
    expect(hidden.filter((problem) => quotes(JSON.stringify(problem), secret))).toEqual([]);
    expect(hidden.map(({ key }) => key)).toEqual(plain.map(({ key }) => key));
    const withoutQuotation = plain.map(({ message }, index) =>
      quotes(message, secret) ? hidden[index]?.message : message,
    );
    expect(hidden.map(({ message }) => message)).toEqual(withoutQuotation);
  };

  test.each(KINDS.map((kind): [string, Kind] => [JSON.stringify(kind('…')), kind]))(
    'a fault of %s at every key, without the value',
    async (_value, kind) => {
      await fc.assert(
        fc.asyncProperty(SECRET, (secret) => compare(keys, kind, secret)),
        { numRuns: 1 },
      );
    },
  );

  test('a fault of any of them at any key, without the value', async () => {
    const given = fc.subarray([...keys], { minLength: 1 });
    await fc.assert(fc.asyncProperty(given, fc.constantFrom(...KINDS), SECRET, compare), {
      numRuns: 15,
    });
  });
});

const USERS = 'sso.authentication.static.users';
const TOKEN_FORM = 'A-Z a-z 0-9 - . _ ~ + / (openssl rand -hex 32 makes one)';

test.each<[string, SettingsClass, string, unknown, string, string?]>([
  [
    'a length',
    SsoSettings,
    'sso.management.token',
    'short',
    `must have 20 to 512 characters, of ${TOKEN_FORM}`,
  ],
  [
    'an effect that is missing',
    ConfigServerSettings,
    'encrypt.key-store.alias',
    'mine',
    'is of no effect without encrypt.key-store.location',
  ],
  ['a bound', SsoSettings, 'sso.port', '70000', 'must not be greater than 65535'],
  [
    'an unknown word',
    SsoSettings,
    'sso.modules',
    ['soap'],
    'names an unknown module; there are login, oidc, rest, rest-services, rest-x509',
  ],
  [
    'a word given twice',
    ConfigServerSettings,
    'config-server.backends',
    'git,git',
    'names a backend twice',
  ],
  ['a name given twice', SsoSettings, USERS, 'a::x,a::y', 'user 2 has the name of an earlier one'],
  [
    'a name that another setting has',
    SsoSettings,
    'sso.authentication.static.attributes',
    { stranger: { mail: 'x' } },
    'entry 1 of the attributes is of no user',
    USERS,
  ],
])('%s is reported for a protected value', async (_, settingsClass, key, ...row) => {
  const [value, rule, at = key] = row;
  const given = [
    ['profiles.active', rawValue('dev', false)],
    [key, rawValue(value, true)],
  ];
  const problems = await problemsOf(settingsClass, given);
  expect(problems).toContainEqual({ key: at, message: rule, origin: expect.any(String) });
});

/** As one process of a program hands its values to another. Names that hold dots are members of a family. */
function rawValue(value: unknown, isProtected: boolean): unknown {
  const convert = (each: unknown): unknown => rawValue(each, isProtected);
  const mark = { origin: 'vault', ...(isProtected && { isProtected }) };
  if (typeof value === 'string') return { content: value, ...mark };
  if (Array.isArray(value)) return { content: value.map(convert), ...mark };
  const members = Object.entries(value as object).map(([name, each]) => [name, convert(each)]);
  return { content: { entries: members }, ...mark };
}

async function declaredKeys(settingsClass: SettingsClass): Promise<readonly string[]> {
  const { loaded } = await load(settingsClass, [['profiles.active', rawValue('dev', false)]]);
  return loaded.explain().map(({ key }) => key);
}

async function problemsOf(
  settingsClass: SettingsClass,
  written: readonly unknown[],
): Promise<readonly ReportedViolation[]> {
  try {
    await load(settingsClass, written);
    return [];
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    return error.violations;
  }
}

function load(
  settingsClass: SettingsClass,
  written: readonly unknown[],
): Promise<ReloadableSettings<CoreSettings>> {
  const snapshot = { rawValues: { entries: written }, accepted: { entries: [] } };
  const context = { application: 'any', argv: [], env: {} };
  return ReloadableSettings.load(settingsClass, context, JSON.stringify(snapshot));
}

/** Whether any piece of the secret is in the text. */
function quotes(text: string, secret: string): boolean {
  const pieces = Array.from({ length: secret.length - PIECE + 1 }, (_, index) =>
    secret.slice(index, index + PIECE),
  );
  return pieces.some((piece) => text.includes(piece));
}
