import { Max, Min } from 'class-validator';
import { describe, expect, test } from '@jest/globals';
import {
  load,
  violationsOf,
  SsoSettings,
  type Files,
} from '../../../../test/support/settings-directory.js';
import type { ActiveProfiles, Violation } from './violation.js';
import { CoreSettings } from './core-settings.js';
import { loadSettings } from './load-settings.js';
import { integer, text } from './parsers/scalars.js';
import { Setting } from './setting.js';
import type { SettingsContext } from './settings-context.js';
import type { SourceRequest } from './settings-source.js';

describe('the settings', () => {
  test('are named, profiled and frozen', async () => {
    const { settings, profiles, applicationName } = await load(
      { 'elsewhere/portal-dev.yml': 'sso.port: 1' },
      {
        defaultProfiles: ['dev'],
        env: {
          APPLICATION_NAME: 'portal',
          SETTINGS_LOCATION: 'elsewhere',
          SSO_SECURITY_PASSWORD: 'Mellon',
        },
      },
    );
    expect([profiles, applicationName]).toEqual([['dev'], 'portal']);
    expect(settings).toMatchObject({ profiles: ['dev'], applicationName: 'portal', port: 1 });
    expect(settings.password?.reveal()).toBe('Mellon');
    expect(settings).toBeInstanceOf(SsoSettings);
    expect(Object.isFrozen(settings)).toBe(true);
  });

  test('of an application named application come from each file once', async () => {
    const { origins } = await load(
      { 'config/application.yml': 'sso.port: 1' },
      { application: 'application' },
    );
    expect(origins('sso.port')).toBe('config/application.yml:1');
  });

  test('come from the environment of the process where no other is given', async () => {
    process.env['SSO_DIALECT'] = 'apereo';
    try {
      const { settings } = await loadSettings(SsoSettings, {
        application: 'sso',
        argv: [],
        directory: '/nowhere',
      });
      expect(settings.dialect).toBe('apereo');
    } finally {
      delete process.env['SSO_DIALECT'];
    }
  });
});

test.each([
  ['UTF-8', Buffer.from('# f\xfcr\nsso.modules=caf\xe9')],
  ['ISO 8859-1', Buffer.from('# f\xfcr\nsso.modules=caf\xe9', 'latin1')],
  ['escapes', Buffer.from('sso.modules=caf\\u00e9')],
])('a properties file in %s is read', async (_encoding, content) => {
  const { settings } = await load({ 'config/sso.properties': content });
  expect(settings.modules).toEqual(['caf\xe9']);
});

describe('a further source', () => {
  class Address {
    @Setting('sso.base-url', text) baseUrl = '';
    @Setting('sso.port', integer) @Max(65_535) port = 80;
    @Setting('sso.host', text, { a: 'host of a' }) host = '';

    *check(profiles: ActiveProfiles): Iterable<Violation> {
      if (profiles.isActive('picky')) yield { key: 'sso.port', message: 'is not liked' };
    }
  }

  const recordingSource = () => {
    const requests: unknown[] = [];
    const source = {
      load: ({ applicationName, profiles, group }: SourceRequest) => {
        requests.push(applicationName, profiles, group(Address));
        return Promise.resolve({ values: [], violations: [] });
      },
    };
    return { requests, source };
  };

  test('gets the application, the profiles and its own settings', async () => {
    const { requests, source } = recordingSource();
    await load(
      { 'config/sso.yml': 'sso: {base-url: low, port: 5, users: {a: {}}}' },
      { sources: [source], env: { SSO_BASE_URL: 'high', PROFILES_ACTIVE: 'a' } },
    );
    const address = { baseUrl: 'high', port: 5, host: 'host of a' };
    expect(requests).toEqual(['sso', ['a'], expect.objectContaining(address)]);
  });

  test.each([
    ['cannot be read', { SSO_PORT: 'x' }],
    ['is out of bounds', { SSO_PORT: '65536' }],
    ['cannot be decrypted', { SSO_PORT: '{cipher}AAAA' }],
    ['does not go with others', { PROFILES_ACTIVE: 'picky' }],
  ])('does not get them where a value %s', async (_what, env) => {
    const { requests, source } = recordingSource();
    await load({}, { sources: [source], env }).catch(() => {});
    expect(requests[2]).toBeUndefined();
  });

  test('is asked at the same time as the others', async () => {
    const events: string[] = [];
    const source = (name: string) => ({
      async load() {
        events.push(`${name} loading`);
        await Promise.resolve();
        events.push(`${name} loaded`);
        return { values: [], violations: [] };
      },
    });
    await load({}, { sources: [source('one'), source('other')] });
    expect(events).toEqual(['one loading', 'other loading', 'one loaded', 'other loaded']);
  });

  test('reports its problems with all the others, unknown keys too', async () => {
    const violation = { key: 'vault', message: 'does not answer', origin: 'vault http://v' };
    const values = [{ key: 'sso.prot', value: 'geheim', origin: 'vault secret/sso' }];
    const source = { load: () => Promise.resolve({ values, violations: [violation] }) };
    expect(await violationsOf({}, { sources: [source] })).toEqual([
      'vault: does not answer (vault http://v)',
      'sso.prot: is not a known setting; did you mean sso.port? (vault secret/sso)',
    ]);
  });
});

describe('keys of other programs are ignored:', () => {
  test.each<[string, Files, Partial<SettingsContext>]>([
    [
      'the keys of another application in a shared file',
      { 'config/application.yml': 'config-server: {port: x, prot: 1}' },
      {},
    ],
    [
      'the keys of another application on the command line',
      {},
      { argv: ['--config-server.prot=1', '--audit.tickets=true'] },
    ],
    [
      'the variables of another application',
      {},
      { env: { CONFIG_SERVER_PROT: '1', DATABASE_HOST: 'x', VAULT_ADDR: 'y' } },
    ],
    [
      'the keys of another product in a file',
      { 'config/sso.yml': 'spring: {x: 1}\n__proto__: {a: 1}\nconstructor: 1' },
      {},
    ],
    [
      'what Kubernetes says of a service named sso',
      {},
      {
        env: {
          SSO_PORT: 'tcp://10.0.0.1:80',
          SSO_SERVICE_HOST: 'x',
          SSO_SERVICE_PORT: '1',
          SSO_PORT_80_TCP_ADDR: 'x',
        },
      },
    ],
    [
      'the keys that another application knows under a shared prefix',
      { 'config/application.yml': 'database: {pool-size: x}\nsso: {dialekt: x}' },
      { sharedPrefixes: ['database', 'sso'], argv: ['--sso.prot=1'], env: { SSO_PROT: '1' } },
    ],
    ['an empty group', { 'config/sso.yml': 'sso:\n  # port: 1\nlogging:\n  level:' }, {}],
    ['a default directory that does not exist', {}, {}],
    [
      'files of other names',
      { 'config/other.yml': 'sso.port: x', 'config/sso-prod.yml': 'sso.port: x' },
      {},
    ],
    ['a directory found empty', { 'config/.keep': '' }, { env: { SETTINGS_LOCATION: './config' } }],
  ])('%s', async (_rule, files, context) => {
    expect((await load(files, context)).settings.port).toBe(8080);
    expect(Object.prototype).not.toHaveProperty('a');
  });
});

describe('a mistake in the program is a TypeError:', () => {
  const context = { application: 'sso', argv: [], env: {}, directory: '/nowhere' };
  class Nested extends CoreSettings {
    @Setting('sso.a', text) a = '';
    @Setting('sso.a.b', text) b = '';
  }
  class Ambiguous extends CoreSettings {
    @Setting('sso.a-b', text) a = '';
    @Setting('sso.a.b', text) b = '';
  }
  class Hyphenated extends CoreSettings {
    @Setting('sso.a-b', text) a = '';
    @Setting('sso.ab', text) b = '';
  }
  class Undeclared extends CoreSettings {
    @Min(1) port = 0;
  }
  class Violating extends CoreSettings {
    override check(): Violation[] {
      return [{ key: 'sso.nothing', message: 'is wrong' }];
    }
  }
  test.each<[string, new () => CoreSettings]>([
    ['a setting is a group of settings', Nested],
    ['two keys share a name in the environment', Ambiguous],
    ['two keys share one without hyphens', Hyphenated],
    ['a bound has no key', Undeclared],
    ['a rule complains of a key that is not declared', Violating],
  ])('%s', async (_rule, settingsClass) => {
    await expect(loadSettings(settingsClass, context)).rejects.toThrow(TypeError);
  });
});
