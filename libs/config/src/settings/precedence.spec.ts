import { describe, expect, test } from '@jest/globals';
import { load } from '../../../../test/support/settings-directory.js';

describe('precedence', () => {
  /** Every settings file, the strongest first; each sets its own name. */
  const files = [
    'sso-b.properties',
    'sso-b.yml',
    'sso-b.yaml',
    'sso-a.properties',
    'sso-a.yml',
    'sso-a.yaml',
    'application-b.properties',
    'application-b.yml',
    'application-b.yaml',
    'application-a.properties',
    'application-a.yml',
    'application-a.yaml',
    'sso.properties',
    'sso.yml',
    'sso.yaml',
    'application.properties',
    'application.yml',
    'application.yaml',
  ];
  const source = (name: string) => ({
    load: () =>
      Promise.resolve({
        values: [{ key: 'sso', value: { 'base-url': name }, origin: name }],
        violations: [],
      }),
  });
  const places = ['command line', 'environment SSO_BASE_URL', 'vault', 'config server', ...files];

  test.each(places.map((place, index) => [place, index] as const))(
    'puts %s in its place',
    async (place, index) => {
      const from = places.slice(index);
      const written = files
        .filter((name) => from.includes(name))
        .map((name) => {
          return [
            `config/${name}`,
            `sso.base-url${name.endsWith('s') ? '=' : ': '}${name}`,
          ] as const;
        });
      const { settings, origins } = await load(Object.fromEntries(written), {
        argv: [
          '--profiles.active=a,b',
          ...(from.includes('command line') ? ['--sso.base-url', 'command line'] : []),
        ],
        env: from.includes('environment SSO_BASE_URL')
          ? { SSO_BASE_URL: 'environment SSO_BASE_URL' }
          : {},
        sources: ['vault', 'config server'].filter((name) => from.includes(name)).map(source),
      });
      expect(settings.baseUrl).toBe(place);
      expect(origins('sso.base-url')).toBe(files.includes(place) ? `config/${place}:1` : place);
    },
  );

  test('puts the default of the last active profile over the default, and any source over both', async () => {
    const host = async (profiles: string, env = {}): Promise<unknown[]> => {
      const { settings, origins } = await load(
        {},
        { argv: [`--profiles.active=${profiles}`], env },
      );
      return [settings.host, origins('sso.host')];
    };
    expect(await host('')).toEqual(['0.0.0.0', 'default']);
    expect(await host('test,dev,other')).toEqual(['127.0.0.1', 'default of profile dev']);
    expect(await host('dev,test')).toEqual(['::1', 'default of profile test']);
    expect(await host('constructor')).toEqual(['0.0.0.0', 'default']);
    expect(await host('dev', { SSO_HOST: 'x' })).toEqual(['x', 'environment SSO_HOST']);
  });

  test.each([
    [{ SSO_BASEURL: 'short' }, 'short', 'environment SSO_BASEURL'],
    [{ SSO_BASEURL: 'short', SSO_BASE_URL: 'long' }, 'long', 'environment SSO_BASE_URL'],
    [{ SSO_BASE_URL: 'long', SSO_BASEURL: 'short' }, 'long', 'environment SSO_BASE_URL'],
  ])('puts the name with hyphens over the one without: %j', async (env, value, origin) => {
    const { settings, origins } = await load({ 'config/sso.yml': 'sso.base-url: low' }, { env });
    expect([settings.baseUrl, origins('sso.base-url')]).toEqual([value, origin]);
  });

  test('puts a later document of a file over an earlier one, key by key', async () => {
    const yaml = 'sso: {port: 1, host: a}\n---\nsso: {port: 2}\n';
    const { settings, warnings } = await load({ 'config/sso.yml': yaml });
    expect(settings).toMatchObject({ port: 2, host: 'a' });
    expect(warnings).toEqual([]);
  });

  test('puts the later over the earlier of two ways to write a key in a document, with a warning', async () => {
    const yaml = 'sso.port: 1\nsso:\n  port: 2\n  host: a\n';
    const { settings, warnings } = await load({ 'config/sso.yml': yaml });
    expect(settings).toMatchObject({ port: 2, host: 'a' });
    expect(warnings).toEqual([
      'sso.port is set twice: config/sso.yml:3 counts, config/sso.yml:1 does not',
    ]);
  });

  test('resolves each logger for itself, and a map as a whole', async () => {
    const low =
      'logging.level: {vault: warn, sso: {rest: warn}, "a.b": warn}\nsso.users: {x: {mail: a}}';
    const { settings, origins } = await load(
      { 'config/application.yml': low },
      {
        env: { LOGGING_LEVEL_SSO_REST: 'debug', SSO_USERS: '{"first.last": {"mail": ["b", "c"]}}' },
      },
    );
    expect(settings.logLevels).toEqual({ vault: 'warn', 'sso.rest': 'debug', 'a.b': 'warn' });
    expect(settings.users).toEqual({ 'first.last': { mail: ['b', 'c'] } });
    expect(origins('logging.level.vault')).toBe('config/application.yml:1');
  });
});

describe('a document of a file counts under its profiles', () => {
  const FIRST = 'sso.host: first\n---\n';
  test.each([
    ['sso.yml', `${FIRST}spring.config.activate.on-profile: b\nsso.host: b`, 'b'],
    ['sso.yml', `${FIRST}spring: {config: {activate: {on-profile: [x, b]}}}\nsso.host: b`, 'b'],
    ['sso.yml', `${FIRST}spring.config.activate.on-profile: x\nsso.host: x`, 'first'],
    ['sso.yml', `${FIRST}spring: {config.activate: {onProfile: "!b"}}\nsso.host: x`, 'first'],
    ['sso.yml', `${FIRST}spring.profiles: x\nsso.host: x`, 'first'],
    ['sso.yml', `${FIRST}spring.config.activate.on-cloud-platform: k\nsso.host: x`, 'first'],
    ['sso.yml', `${FIRST}spring.profiles.active: x\nsso.host: last`, 'last'],
    ['sso.properties', 'sso.host=a\n#---\nspring.profiles=x\nsso.host=x', 'a'],
    ['sso.properties', 'sso.host=a\n#---\nspring.profiles=b\nsso.host=b', 'b'],
  ])('in %s, %j: %s', async (name, text, host) => {
    const { settings } = await load(
      { [`config/${name}`]: text },
      { argv: ['--profiles.active=b'] },
    );
    expect(settings.host).toBe(host);
  });

  test.each(['sso.yml', 'sso.properties'])(
    '%s with an expression that is none is refused',
    async (name) => {
      const text = 'a: 1\nspring.config.activate.on-profile: b &\n';
      await expect(load({ [`config/${name}`]: text })).rejects.toThrow(
        new RegExp(`config/${name}:2: profiles are names`),
      );
    },
  );
});
