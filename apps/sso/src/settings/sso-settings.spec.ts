import { describe, expect, test } from '@jest/globals';
import { loadSettings } from '@tessera/config';
import { SsoSettings } from './sso-settings.js';

const DATABASE = '--database.url=postgresql://localhost/sso';

async function load(...argv: readonly string[]): Promise<SsoSettings> {
  const context = { application: 'sso', argv, env: {}, directory: '/nonexistent' };
  return (await loadSettings(SsoSettings, context)).settings;
}

describe('the settings of the SSO application', () => {
  test('outside profile dev have no demo user, no import, and every interface', async () => {
    expect(await load(DATABASE)).toMatchObject({
      host: '0.0.0.0',
      handlers: ['accounts'],
      staticUsers: [],
      staticAttributes: {},
      servicesImport: '',
      modules: ['login', 'rest'],
      dialect: 'documented',
      tickets: {
        lifetimes: {
          grantingTicketMax: 8 * 3_600_000,
          grantingTicketIdle: 2 * 3_600_000,
          rememberedGrantingTicket: 14 * 24 * 3_600_000,
          serviceTicket: 10_000,
          proxyTicket: 10_000,
        },
      },
    });
  });

  test('in profile dev have a demo user, on loopback, without a database URL', async () => {
    const settings = await load('--profiles.active=dev');
    expect(settings.host).toBe('127.0.0.1');
    expect(settings.databaseUrl).toBeUndefined();
    expect(settings.staticUsers.map((user) => user.reveal())).toEqual(['casuser::Mellon']);
    expect(settings.staticAttributes).toMatchObject({ casuser: { memberOf: ['staff', 'admin'] } });
  });

  test.each([
    [true, []],
    [false, ['--sso.modules=rest-services']],
    [false, ['--sso.authentication.handlers=accounts']],
    [false, ['--sso.authentication.static.users=ann::Mellon']],
    [false, ['--sso.tls.certificate-file=a', '--sso.tls.key-file=b']],
  ])('in profile dev are those of the tour: %s, with %j', async (isDemo, argv) => {
    expect(await load('--profiles.active=dev', ...argv)).toMatchObject({ isDemo });
    expect(await load(DATABASE, ...argv)).toMatchObject({ isDemo: false });
  });

  test('have a database of their own where none is named', async () => {
    expect(await load('--profiles.active=dev')).toMatchObject({ hasOwnDatabase: true });
    const named = await load('--profiles.active=dev', DATABASE);
    expect(named).toMatchObject({ isDemo: true, hasOwnDatabase: false });
  });

  test.each(['sesame', 'mysql://ann:sesame@host/sso', 'postgresql://ann:sesame@host:none/sso', ''])(
    'report an invalid database URL without its value: %s',
    async (url) => {
      await expect(load(`--database.url=${url}`)).rejects.toMatchObject({
        exitCode: 78,
        lines: ['database.url: must be postgresql://user:password@host/database (command line)'],
      });
    },
  );

  test.each([
    'postgres://host/sso',
    'postgresql:///sso?host=/run/postgresql',
    'postgresql://ann@/sso',
  ])('accept a PostgreSQL URL: %s', async (url) => {
    expect((await load(`--database.url=${url}`)).databaseUrl?.reveal()).toBe(url);
  });

  test('report an invalid port alone, not the base URL built from it', async () => {
    await expect(load(DATABASE, '--sso.port=65536')).rejects.toMatchObject({
      lines: [expect.stringMatching(/^sso.port: /)],
    });
  });

  test.each([
    ['the database', [], 'database.url: is required except in profile dev'],
    [
      'a base URL that is none',
      ['--sso.base-url=localhost'],
      'sso.base-url: must be an http or https URL',
    ],
    [
      'a base URL of another kind',
      ['--sso.base-url=ftp://x'],
      'sso.base-url: must be an http or https URL',
    ],
    [
      'a base URL with a slash at its end',
      ['--sso.base-url=https://x/cas/'],
      'sso.base-url: must not end with a slash',
    ],
    [
      'a base URL with a query',
      ['--sso.base-url=https://x/cas?a'],
      'sso.base-url: must have no query, fragment or user',
    ],
    [
      'a base URL with a user',
      ['--sso.base-url=https://u:p@x/cas'],
      'sso.base-url: must have no query, fragment or user',
    ],
    [
      'a base URL with an odd path',
      ['--sso.base-url=https://x/a:b'],
      'sso.base-url: must have a path of',
    ],
    ['a port out of range', ['--sso.port=65536'], 'sso.port: must not be greater than 65535'],
    [
      'workers that are no number',
      ['--sso.workers=many'],
      'sso.workers: must be auto or a number of processes',
    ],
    ['no workers', ['--sso.workers=0'], 'sso.workers: must be auto or a number of processes'],
    [
      'an unknown module',
      ['--sso.modules=rest,soap'],
      'sso.modules: names the unknown module soap; there are login, oidc, rest',
    ],
    [
      'an unknown dialect',
      ['--sso.dialect=shibboleth'],
      'sso.dialect: must be one of documented, apereo',
    ],
    [
      'no handlers',
      ['--sso.authentication.handlers='],
      'sso.authentication.handlers: must list handlers, of static, accounts',
    ],
    [
      'an unknown handler',
      ['--sso.authentication.handlers=magic'],
      'sso.authentication.handlers: must list handlers',
    ],
    [
      'tickets that live no time',
      ['--sso.tickets.st.lifetime=0s'],
      'sso.tickets.st.lifetime: must not be less than 1s',
    ],
    [
      'sessions without end',
      ['--sso.tickets.tgt.max-lifetime=401d'],
      'sso.tickets.tgt.max-lifetime: must not be greater',
    ],
    [
      'chains of no proxy',
      ['--sso.tickets.pgt.max-depth=0'],
      'sso.tickets.pgt.max-depth: must not be less than 1',
    ],
    [
      'chains without end',
      ['--sso.tickets.pgt.max-depth=101'],
      'sso.tickets.pgt.max-depth: must not be greater than 100',
    ],
    [
      'a suffix that is too long',
      ['--sso.tickets.suffix=abcdef'],
      'sso.tickets.suffix: must be at most 5 letters and digits',
    ],
    [
      'a suffix of other characters',
      ['--sso.tickets.suffix=a-b'],
      'sso.tickets.suffix: must be at most 5 letters and digits',
    ],
    ['a misspelt key', ['--sso.baseurl=https://x'], 'sso.base-url'],
  ])('refuse %s', async (_, argv, violation) => {
    const all = argv.length === 0 ? [] : [DATABASE, ...argv];
    await expect(load(...all)).rejects.toThrow(violation);
  });

  test.each([
    [
      'demo users',
      '--sso.authentication.static.users=a::b',
      'sso.authentication.static.users: may hold no demo users',
    ],
    [
      'the static handler',
      '--sso.authentication.handlers=static',
      'sso.authentication.handlers: may hold no demo users',
    ],
    [
      'http outside loopback',
      '--sso.base-url=http://sso.example.org/cas',
      'sso.base-url: must be https in profile production',
    ],
    [
      'profile dev beside it',
      '--profiles.active=dev,production',
      'may not name dev and production together',
    ],
  ])('in profile production refuse %s', async (_, argument, violation) => {
    const profile = argument.startsWith('--profiles') ? [] : ['--profiles.active=production'];
    await expect(load(DATABASE, ...profile, argument)).rejects.toThrow(violation);
  });

  test.each([
    'https://sso.example.org',
    'http://localhost:8080/cas',
    'http://127.0.0.1/x',
    'http://[::1]/cas',
  ])('in profile production accept %s', async (url) => {
    const settings = await load(DATABASE, '--profiles.active=production', `--sso.base-url=${url}`);
    expect(settings.baseUrl).toBe(url);
  });

  test.each<[string[], boolean]>([
    [[], false],
    [['--profiles.active=compose'], false],
    [['--profiles.active=production'], true],
    [['--profiles.active=production', '--sso.throttle.rest.enabled=false'], false],
    [['--sso.throttle.rest.enabled=true'], true],
  ])(
    'throttle failed logins over REST by default in profile production alone: %j',
    async (argv, isOn) => {
      const { throttle } = await load(DATABASE, '--sso.base-url=https://a.example', ...argv);
      expect(throttle.restEnabled).toBe(isOn);
    },
  );

  test.each([
    ['https://sso.example.org', ''],
    ['https://sso.example.org/cas', '/cas'],
    ['https://sso.example.org/a/b', '/a/b'],
  ])('take the context path from %s', async (url, path) => {
    expect((await load(DATABASE, `--sso.base-url=${url}`)).contextPath).toBe(path);
  });

  test.each([
    [1, '1', 1],
    [2, '1', 1],
    [4, '1', 3],
    [64, '1', 3],
    [4, '2', 1],
    [8, 'auto', 1],
  ])('on %d cores with %s workers let %d hashes run at once', async (cores, workers, hashes) => {
    const settings = await load(DATABASE, `--sso.workers=${workers}`);
    expect(settings.hashesAtOnce(cores)).toBe(hashes);
  });
});
