import { describe, expect, test } from '@jest/globals';
import { CoreSettings, Group, loadSettings, SettingsError } from '../../settings/index.js';
import { ConfigServerClientSettings } from './config-server-client-settings.js';

const CANARY = 'canary-of-a-secret';
const URL_KEY = 'sso.config-server.url';
const NO_URL = 'must be an http or https URL';
const NO_MORE = 'must have no query, fragment or user';

class Settings extends CoreSettings {
  @Group(ConfigServerClientSettings) readonly configServer = new ConfigServerClientSettings();
}

async function load(given: Readonly<Record<string, string>>): Promise<ConfigServerClientSettings> {
  const argv = Object.entries(given).map(([name, value]) => `--sso.config-server.${name}=${value}`);
  const profile = { application: 'sso', defaultProfiles: ['production'] };
  const { settings } = await loadSettings(Settings, { ...profile, argv, env: {} });
  return settings.configServer;
}

async function violationsOf(given: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const error: unknown = await load(given).catch((thrown: unknown) => thrown);
  if (!(error instanceof SettingsError)) throw new Error('the settings were taken');
  expect(error.message).not.toContain(CANARY);
  return error.violations.map(({ key, message }) => `${key}: ${message}`);
}

describe('settings are refused', () => {
  test.each([
    ['of no URL', { url: 'localhost:8888' }, `${URL_KEY}: ${NO_URL}`],
    ['of another protocol', { url: 'ftp://config.example.org' }, `${URL_KEY}: ${NO_URL}`],
    ['of which one URL is bad', { url: 'https://a,b' }, `${URL_KEY}: ${NO_URL}`],
    ['with a user in the URL', { url: `https://a:${CANARY}@b` }, `${URL_KEY}: ${NO_MORE}`],
    ['with a query', { url: 'https://a/?b' }, `${URL_KEY}: ${NO_MORE}`],
    ['with a fragment', { url: 'https://a/#b' }, `${URL_KEY}: ${NO_MORE}`],
    [
      'that send credentials in the open',
      { url: 'http://config.example.org' },
      `${URL_KEY}: must be https in profile production`,
    ],
    [
      'with a user name alone',
      { username: 'sso' },
      'sso.config-server.password: is required with sso.config-server.username',
    ],
    [
      'with a password alone',
      { password: CANARY },
      'sso.config-server.username: is required with sso.config-server.password',
    ],
    [
      'with a token besides',
      { username: 'sso', password: CANARY, token: CANARY },
      'sso.config-server.token: may not be given together with sso.config-server.username and sso.config-server.password',
    ],
    [
      'with a token of two lines',
      { token: `${CANARY}\nX-Other: header` },
      'sso.config-server.token: must be a token: letters, digits and signs, no white space',
    ],
    [
      'with a colon in the user name',
      { username: 'a:b', password: CANARY },
      'sso.config-server.username: must have no colon and no control characters',
    ],
    [
      'with an empty password',
      { username: 'a', password: '' },
      'sso.config-server.password: must not be empty',
    ],
    [
      'whose label leads elsewhere',
      { label: '../secret' },
      'sso.config-server.label: must be the name of a branch, tag or commit',
    ],
    [
      'whose pauses shrink',
      { 'retry.initial-interval': '3s' },
      'sso.config-server.retry.max-interval: must not be less than sso.config-server.retry.initial-interval',
    ],
  ])('%s', async (_rule, given, violation) => {
    expect(await violationsOf(given)).toEqual([violation]);
  });
});

describe('settings are taken', () => {
  test.each([
    ['of no config server', {}],
    ['of this machine without TLS', { url: 'http://localhost:8888,http://[::1]:8888/config' }],
    ['of several servers', { url: 'https://a.example.org, https://b.example.org/config/' }],
    ['with a label that has a slash', { label: 'feature/x_1.2' }],
  ])('%s', async (_rule, given) => {
    await expect(load(given)).resolves.toBeInstanceOf(ConfigServerClientSettings);
  });
});

test.each([
  ['nobody', {}, undefined],
  [
    'a user, in UTF-8',
    { username: 'ssö', password: 'pä:ss' },
    `Basic ${Buffer.from('ssö:pä:ss').toString('base64')}`,
  ],
  ['the bearer of a token', { token: 'abc' }, 'Bearer abc'],
])('requests are of %s', async (_who, given, header) => {
  expect((await load(given)).authorization()).toBe(header);
});
