// From the files of a real config server to typed settings, and the errors of that server.
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { PasswordHashing, sha256 } from '@tessera/crypto';
import { configureLogging } from '@tessera/logging';
import {
  CoreSettings,
  Group,
  integer,
  list,
  loadSettings,
  map,
  secret,
  type Secret,
  Setting,
  SettingsError,
  text,
  type LoadedSettings,
} from '../../settings/index.js';
import { startConfigServer, type ConfigServer } from '../../../../../test/support/config-server.js';
import { makeFolder, removeFolder } from '../../../../../test/support/folders.js';
import { ConfigServerClientSettings } from './config-server-client-settings.js';
import { ConfigServerSource } from './config-server-source.js';

const PASSWORD = 'canary:pä+ss';
const TOKEN = 'canary-of-a-token';
const KEY = '--encrypt.key=foo';

class Settings extends CoreSettings {
  @Group(ConfigServerClientSettings) readonly configServer = new ConfigServerClientSettings();
  @Setting('sso.port', integer) port = 1;
  @Setting('sso.modules', list) modules: readonly string[] = [];
  @Setting('sso.users', map(map(text))) users: object = {};
  @Setting('sso.secret', secret) secret: Secret | undefined = undefined;
  @Setting('sso.base-url', text) baseUrl = 'default';
}

let folder: string;
let server: ConfigServer;
const lines: string[] = [];

beforeAll(async () => {
  configureLogging({
    application: 'sso',
    levels: { root: 'debug' },
    write: (line) => lines.push(line),
  });
  folder = await makeFolder();
  const clients = {
    sso: {
      'password-hash': await new PasswordHashing().hash(PASSWORD),
      'token-hash': sha256(TOKEN),
      applications: ['sso', 'broken', 'orders'],
    },
  };
  server = await startConfigServer([
    KEY,
    `--config-server.native.location=${folder}`,
    `--config-server.clients=${JSON.stringify(clients)}`,
    '--config-server.native.add-label-locations=true',
  ]);
  const files = {
    'application.yml':
      'sso: {port: 2, base-url: "of all"}\nlogging.level.a.b: debug\nother: {key: 1}',
    'sso.yml':
      'sso:\n  port: 3\n  modules: [rest, extra]\n  users: {a: {x: 1}, "[c.d/e]": {x: "2"}}',
    'sso-prod.properties': 'sso.modules[0]=only\nlogging.level.a=error',
    'a/b/sso.yml': 'sso.port: 5',
    'broken.yml': 'sso:\n  secret: "{cipher}00"\norders: {password: "{cipher}00"}',
  };
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), content);
  }
});
afterAll(async () => {
  configureLogging({ application: 'sso', levels: {} });
  await server.close();
  await removeFolder(folder);
});

function load(...argv: readonly string[]): Promise<LoadedSettings<Settings>> {
  const sources = [new ConfigServerSource()];
  const context = { application: 'sso', env: {}, directory: folder, sources };
  const given = [`--sso.config-server.url=${server.url}/`, '--profiles.active=prod', ...argv];
  return loadSettings(Settings, { ...context, argv: given });
}

const asUser = ['--sso.config-server.username=sso', `--sso.config-server.password=${PASSWORD}`];
const asBearer = [`--sso.config-server.token=${TOKEN}`];

describe('the config server', () => {
  test.each([
    ['a user with a password', asUser],
    ['the bearer of a token', asBearer],
  ])('gives its settings to %s', async (_who, credentials) => {
    const { settings } = await load(...credentials);
    expect(settings).toMatchObject({ port: 3, modules: ['only'], baseUrl: 'of all' });
    expect(settings.logLevels).toEqual({ a: 'error', 'a.b': 'debug' });
    expect(JSON.parse(JSON.stringify(settings.users))).toEqual({
      a: { x: '1' },
      'c.d/e': { x: '2' },
    });
  });

  test('is overridden by the command line, and names the source of each value', async () => {
    const { settings, origins } = await load(...asBearer, '--sso.port=4');
    expect(settings.port).toBe(4);
    expect(origins('sso.modules')).toBe(`config server ${server.url} (file:sso-prod.properties)`);
  });
});

async function messageOf(...argv: readonly string[]): Promise<string> {
  const error: unknown = await load(...argv).catch((thrown: unknown) => thrown);
  if (error instanceof SettingsError) return error.message;
  throw new Error('the settings were taken', { cause: error });
}

describe('the start ends with a word about', () => {
  test.each<[string, readonly string[], string]>([
    ['credentials that are missing', [], 'answers 401: it requires sso.config-server.username'],
    [
      'credentials that are wrong',
      ['--sso.config-server.token=canary-of-another'],
      'sso.config-server.token: SERVER answers 401: it does not know the client (command line)',
    ],
    [
      'an application of somebody else',
      [...asBearer, '--application.name=billing'],
      'sso.config-server.url: SERVER answers 403: the client may not read billing, profiles prod;',
    ],
    [
      'an address of something else',
      [...asBearer, '--sso.config-server.url=SERVER/nowhere/at'],
      'sso.config-server.url: SERVER/nowhere/at answers 403',
    ],
  ])('%s', async (_what, argv, reason) => {
    const message = await messageOf(...argv.map((each) => each.replace('SERVER', server.url)));
    expect(message).toContain(reason.replace('SERVER', server.url));
  });

  test('values that the server cannot decrypt', async () => {
    const message = await messageOf(...asBearer, '--application.name=broken');
    expect(message).toContain('sso.secret: cannot be decrypted by the config server');
    expect(message).toContain('(file:broken.yml)');
  });
});

test('a label with a slash leads to its files', async () => {
  const { settings } = await load(...asBearer, '--sso.config-server.label=a/b');
  expect(settings.port).toBe(5);
});

test('protected values that are served as they are stay so', async () => {
  const raw = await startConfigServer([
    KEY,
    `--config-server.native.location=${folder}`,
    '--config-server.encrypt.enabled=false',
  ]);
  try {
    const group = () => Object.assign(new ConfigServerClientSettings(), { urls: [raw.url] });
    const source = new ConfigServerSource();
    const name = { applicationName: 'broken', profiles: [] };
    const request = { ...name, group: group as never };
    const { values, violations } = await source.load(request);
    expect(violations).toEqual([]);
    expect(JSON.stringify(values)).toContain('{cipher}00');
  } finally {
    await raw.close();
  }
});

test('no credential is in any line that was written', () => {
  expect(lines.join('\n')).not.toMatch(/canary/);
});
