import { expect, test } from '@jest/globals';
import { loadSettings } from '@tessera/config';
import { newKeyFile } from '@tessera/crypto';
import { SsoSettings } from './sso-settings.js';

const DATABASE = '--database.url=postgresql://localhost/sso';
const OIDC = '--sso.modules=login,oidc';
const KEY = `--sso.oidc.sealing-keys=${newKeyFile().trim()}`;
const MISSING = 'sso.oidc.sealing-keys: is required by module oidc, except in profile dev';

const load = (argv: readonly string[]) =>
  loadSettings(SsoSettings, { application: 'sso', argv, env: {}, directory: '/nonexistent' });

test.each<[string, readonly string[]]>([
  ['module oidc with a sealing key', [OIDC, KEY, DATABASE]],
  ['module oidc in profile dev, which makes a sealing key', [OIDC, '--profiles.active=dev']],
  ['no module oidc without a sealing key', ['--sso.modules=login', DATABASE]],
])('accepts %s', async (_, argv) => {
  expect((await load(argv)).settings).toBeInstanceOf(SsoSettings);
});

test.each<[string, readonly string[], string]>([
  ['module oidc without a sealing key', [OIDC, DATABASE], MISSING],
  [
    'module oidc without module login',
    ['--sso.modules=oidc', KEY, DATABASE],
    'sso.modules: must name login too where it names oidc',
  ],
])('refuses %s', async (_, argv, violation) => {
  await expect(load(argv)).rejects.toThrow(violation);
});
