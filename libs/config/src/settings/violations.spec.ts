import { describe, expect, test } from '@jest/globals';
import type { SettingsContext } from './settings-context.js';
import { violationsOf, type Files } from '../../../../test/support/settings-directory.js';

describe('a problem is reported for', () => {
  test.each<[string, Files, Partial<SettingsContext>, string[]]>([
    [
      'a value of the wrong kind in the environment',
      {},
      { env: { SSO_PORT: 'eighty' } },
      ['sso.port: must be a whole number ("eighty", environment SSO_PORT)'],
    ],
    [
      'a value out of range in a file, with its line',
      { 'config/sso.yml': 'sso:\n  port: 99999' },
      {},
      ['sso.port: must not be greater than 65535 ("99999", config/sso.yml:2)'],
    ],
    [
      'a value out of range on the command line',
      {},
      { argv: ['--sso.tickets.tgt.max-lifetime=5ms'] },
      ['sso.tickets.tgt.max-lifetime: must not be less than 1s ("5ms", command line)'],
    ],
    [
      'an unknown key in a file, without its value',
      { 'config/sso.properties': 'sso.baseUrl=geheim' },
      {},
      ['sso.baseUrl: is not a known setting; did you mean sso.base-url? (config/sso.properties:1)'],
    ],
    [
      'an unknown key deep in YAML',
      { 'config/application.yml': 'sso: {tickets: {tgt: {max-life: 8h}}}' },
      {},
      [
        'sso.tickets.tgt.max-life: is not a known setting; did you mean sso.tickets.tgt.max-lifetime? (config/application.yml:1)',
      ],
    ],
    [
      'a logger under a slip',
      { 'config/sso.yml': 'logging.levels.a.b: debug' },
      {},
      [
        'logging.levels.a.b: is not a known setting; did you mean logging.level.a.b? (config/sso.yml:1)',
      ],
    ],
    [
      'a key below a setting',
      { 'config/sso.properties': 'sso.port.x=1' },
      {},
      ['sso.port.x: is not a known setting; did you mean sso.port? (config/sso.properties:1)'],
    ],
    [
      'an unknown variable of ours',
      {},
      { env: { SSO_BASURL: 'geheim' } },
      ['SSO_BASURL: is not a known setting; did you mean SSO_BASE_URL? (environment)'],
    ],
    [
      'a variable of ours in small letters',
      {},
      { env: { sso_port: '1' } },
      ['sso_port: is not a known setting; did you mean SSO_PORT? (environment)'],
    ],
    [
      'a level that is none, for its logger',
      {},
      { env: { LOGGING_LEVEL_VAULT: 'loud' } },
      [
        'logging.level.vault: must be one of debug, info, warn, error ("loud", environment LOGGING_LEVEL_VAULT)',
      ],
    ],
    [
      'a key without a value',
      { 'config/sso.yml': 'sso.port:' },
      {},
      ['sso.port: has no value; it must be a whole number (config/sso.yml:1)'],
    ],
    [
      'a group that has a value',
      { 'config/sso.yml': 'sso: 5' },
      {},
      ['sso: is a group of settings and takes no value itself (config/sso.yml:1)'],
    ],
    [
      'a protected value, without its text',
      { 'config/sso.properties': 'sso.base-url={cipher}AQBgeheim' },
      {},
      [
        'sso.base-url: is protected, and there is no key: give sso.standalone.security.password in the environment, or as @<file> (config/sso.properties:1)',
      ],
    ],
    [
      'a protected secret',
      {},
      { env: { SSO_SECURITY_PASSWORD: '{cas-cipher}geheim' } },
      [
        'sso.security.password: is protected, and there is no key: give sso.standalone.security.password in the environment, or as @<file> (environment SSO_SECURITY_PASSWORD)',
      ],
    ],
    [
      'a secret of the wrong kind, without its text',
      { 'config/sso.yml': 'sso.security.password: [geheim]' },
      {},
      ['sso.security.password: must be a text, not a list (config/sso.yml:1)'],
    ],
    [
      'a rule between settings',
      {},
      { argv: ['--profiles.active=production'] },
      ['sso.base-url: must be https in profile production ("http://localhost:8080/cas", default)'],
    ],
    [
      'a password within a URL, which is not quoted',
      {},
      { env: { SSO_BASE_URL: 'http://u:geh@eim/x@host', PROFILES_ACTIVE: 'production' } },
      [
        'sso.base-url: must be https in profile production ("http://…@host", environment SSO_BASE_URL)',
      ],
    ],
    [
      'a file that is not YAML',
      { 'config/sso.yml': 'sso:\n  port: [1' },
      {},
      ['config/sso.yml:2: a [ or { is not closed before here'],
    ],
    [
      'a file that is not text',
      { 'config/sso.yml': Uint8Array.of(0x61, 0xff) },
      {},
      ['config/sso.yml: is not UTF-8 text'],
    ],
    [
      'a properties file in UTF-16',
      { 'config/sso.properties': Buffer.from('\ufeffsso.port=1', 'utf16le') },
      {},
      ['config/sso.properties: is not UTF-8 text'],
    ],
    [
      'a file that is a directory',
      { 'config/sso.yml/x': '' },
      {},
      ['config/sso.yml: is no regular file'],
    ],
    [
      'a file of more than 1 MiB',
      { 'config/sso.properties': '#'.repeat(1_048_577) },
      {},
      ['config/sso.properties: has more than 1048576 bytes'],
    ],
    [
      'profiles in a file, where they come too late',
      { 'config/sso.yml': 'profiles.active: dev' },
      {},
      [
        'profiles.active: decides which files are read: give it in the environment or on the command line (config/sso.yml:1)',
      ],
    ],
    [
      'a directory that was asked for and is not there',
      {},
      { env: { SETTINGS_LOCATION: 'nowhere' } },
      [
        'settings.location: names a directory that does not exist ("nowhere", environment SETTINGS_LOCATION)',
      ],
    ],
    [
      'a directory without a name',
      {},
      { env: { SETTINGS_LOCATION: '' } },
      ['settings.location: must not be empty ("", environment SETTINGS_LOCATION)'],
    ],
    [
      'a directory that is a file',
      { config: '' },
      {},
      ['settings.location: names a directory that cannot be read (ENOTDIR) ("./config", default)'],
    ],
    [
      'a profile that is no file name',
      {},
      { env: { PROFILES_ACTIVE: '../x' } },
      [
        'profiles.active: element 1 must be a name of letters, digits, ".", "_" and "-" ("../x", environment PROFILES_ACTIVE)',
      ],
    ],
    [
      'control characters, written out',
      {},
      { env: { SSO_PORT: '\u001b[2J\r\n\u202e' } },
      [
        'sso.port: must be a whole number ("\\u001b[2J\\u000d\\u000a\\u202e", environment SSO_PORT)',
      ],
    ],
    [
      'an empty value where there has to be one',
      {},
      { env: { DATABASE_URL: '' } },
      ['database.url: must not be empty ("", environment DATABASE_URL)'],
    ],
  ])('%s', async (_rule, files, context, lines) => {
    expect(await violationsOf(files, context)).toEqual(lines);
  });

  test('every key at once, and once a key, from the source that wins', async () => {
    const files = {
      'config/sso.properties': 'sso.port=low\nsso.prot=1',
      'config/sso.yml': 'sso:\n  port: lower\n  prot: 2\n  dialect: mine',
      'config/application.yml': 'sso: [',
    };
    expect(
      await violationsOf(files, { env: { SSO_PORT: 'high' }, argv: ['--nonsense=1'] }),
    ).toEqual([
      'sso.port: must be a whole number ("high", environment SSO_PORT)',
      'sso.dialect: must be one of documented, apereo ("mine", config/sso.yml:4)',
      'nonsense: is not a known setting (command line)',
      'sso.prot: is not a known setting; did you mean sso.port? (config/sso.properties:2)',
      'config/application.yml:1: a [ or { is not closed before here',
    ]);
  });
});
