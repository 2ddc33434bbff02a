import { generateKeyPairSync } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { describe, expect, test } from '@jest/globals';
import { CLIENT_DEFAULTS, ClientSecrets, SERVICE_DEFAULTS } from '@tessera/services';
import { TERMINAL_CONTROLS } from '../../../../test/support/command-line.js';
import { serviceCommandSuite } from '../../../../test/support/service-commands.js';

const URI = 'https://app.example.org/cb';
const PATTERN = 'https://app\\.example\\.org/.*';

const suite = serviceCommandSuite('client');
const tessera = (...args: readonly string[]) => suite.tessera(...args);
const add = (...args: readonly string[]) =>
  tessera('add', '--client-id', 'app', '--name', 'App', '--redirect-uri', URI, ...args);
const stored = async (clientId = 'app') => suite.store.findByClientId(clientId);
const noneIsImported = () => Promise.resolve(false);
const isSecret = async (secret: unknown) => {
  const { id = '' } = (await stored()) ?? {};
  return new ClientSecrets(suite.dataSource.manager).matches(id, String(secret), noneIsImported);
};

interface Issued {
  readonly clientId: string;
  readonly service: string;
  readonly secret?: string;
}
async function issued(...args: readonly string[]): Promise<Issued> {
  const { stdout, stderr } = await tessera(...args, '--json');
  expect(stderr).toBe('');
  return JSON.parse(stdout) as Issued;
}
const added = (...args: readonly string[]) =>
  issued('add', '--client-id', 'app', '--name', 'App', '--redirect-uri', URI, ...args);

describe('an error ends with 1 and one line that names it, and nothing changes', () => {
  test.each<[string, readonly string[], RegExp]>([
    ['add: no name', ['add', '--redirect-uri', URI], /^tessera: give a --name, or the --service/],
    ['add: no redirect URI', ['add', '--name', 'a'], /^tessera: client.redirectUris must have a/],
    [
      'add: several at once',
      ['add', '--name', '', '--redirect-uri', 'http://a/', '--client-id', 'a b', '--order', 'x'],
      /^tessera: clientId must.*client.redirectUris must be https.*name must.*evaluationOrder must/,
    ],
    [
      'add: a client id that another has',
      ['add', '--name', 'a', '--redirect-uri', URI, '--client-id', 'app'],
      /^tessera: another service has this client id\n$/,
    ],
    [
      'add: no such service',
      ['add', '--service', '4711', '--redirect-uri', URI],
      /no service "4711"/,
    ],
    [
      'add: a service that is a client',
      ['add', '--service', 'NUMBER', '--redirect-uri', URI],
      /is a client already: "tessera client update app" changes it/,
    ],
    [
      'add: public with another method',
      ['add', '--name', 'a', '--public', '--auth-method', 'none'],
      /'--public' cannot be used with option '--auth-method/,
    ],
    [
      'add: public without PKCE',
      ['add', '--name', 'a', '--redirect-uri', URI, '--public', '--no-pkce'],
      /^tessera: client.pkceRequired must be true for a public client\n$/,
    ],
    ['add: no file', ['add', '--name', 'a', '--jwks', '/none'], /^tessera: \/none does not exist/],
    ['update: an unknown id', ['update', '\u001b[2J'], /^tessera: there is no client ".+"/],
    [
      'update: an invalid value',
      ['update', 'app', '--grant', 'password'],
      /^tessera: client.grantTypes must be authorization_code or/,
    ],
    ['remove: an unknown id', ['remove', 'x'], /^tessera: there is no client "x"/],
    ['show: an unknown id', ['show', 'App'], /^tessera: there is no client "App"/],
    ['secret: an unknown id', ['secret', 'x'], /^tessera: there is no client "x"/],
    ['secret: an odd duration', ['secret', 'app', '--keep-old', '24'], /^tessera: --keep-old is a/],
    ['secret: too long', ['secret', 'app', '--keep-old', '401d'], /^tessera: --keep-old is a/],
    ['an unknown command', ['list', 'x'], /too many arguments/],
  ])('%s', async (_what, args, error) => {
    const { service, secret } = await added();
    const before = await suite.store.list();
    const given = args.map((each) => (each === 'NUMBER' ? service : each));
    const { exitCode, stdout, stderr } = await tessera(...given);
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
    expect(stderr).toMatch(error);
    expect(stderr).not.toMatch(TERMINAL_CONTROLS);
    expect(await suite.store.list()).toEqual(before);
    expect(await isSecret(secret)).toBe(true);
  });

  test('a file with a private key, of which nothing is shown', async () => {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const key = privateKey.export({ format: 'jwk' });
    const path = `${suite.directory}/keys.json`;
    for (const content of [JSON.stringify({ keys: [key] }), `${JSON.stringify(key)},`]) {
      await writeFile(path, content);
      const { exitCode, stderr } = await add('--jwks', path);
      expect(exitCode).toBe(1);
      expect(stderr).toMatch(/client.jwks must hold public keys alone|keys.json is not JSON/);
      expect(stderr).not.toContain(key.d);
    }
    expect(await suite.store.list()).toEqual([]);
  });
});

describe('add', () => {
  test('prints the id and the secret, of which nothing is stored or recorded', async () => {
    const { stdout, stderr } = await add();
    expect(stderr).toBe('');
    const [, number, secret] =
      /^clientId: app\nservice: (\d+)\nsecret: ([A-Za-z0-9]{43})\n$/.exec(stdout) ?? [];
    expect(await isSecret(secret)).toBe(true);
    expect(await stored()).toMatchObject({
      ...SERVICE_DEFAULTS,
      id: number,
      name: 'App',
      clientId: 'app',
      attributeRelease: { kind: 'all' },
      client: { ...CLIENT_DEFAULTS, redirectUris: [URI] },
    });
    const rows = await suite.dataSource.query<readonly object[]>(
      `select action, subject, details from audit_event where subject = $1 order by id`,
      [number],
    );
    expect(rows).toMatchObject([
      { action: 'REGISTER_SERVICE', details: { clientId: 'app' } },
      { action: 'ADD_CLIENT_SECRET', details: { secret: expect.stringMatching(/^\d+$/) } },
    ]);
    expect(JSON.stringify(rows)).not.toContain(secret);
  });

  test.each<[string, readonly string[], object]>([
    ['no option', [], { kind: 'all' }],
    ['--release', ['--release', 'mail'], { kind: 'allowed', names: ['mail'] }],
  ])('with %s releases what it says', async (_option, options, attributeRelease) => {
    await added(...options);
    expect(await stored()).toMatchObject({ attributeRelease });
  });

  test('gives a random id where none is given', async () => {
    const ids = new Set<string>();
    for (const name of ['a', 'b']) {
      const { clientId } = await issued('add', '--name', name, '--redirect-uri', URI);
      expect(clientId).toMatch(/^[A-Za-z0-9]{24}$/);
      ids.add(clientId);
    }
    expect(ids.size).toBe(2);
  });

  test.each<[string, readonly string[]]>([
    ['a public client', ['--public']],
    ['one that signs', ['--auth-method', 'private_key_jwt', '--jwks-uri', 'https://a/keys']],
  ])('gives no secret to %s', async (_what, options) => {
    expect(Object.keys(await added(...options))).toEqual(['clientId', 'service']);
  });

  test('makes a service of CAS a client too, which both lists have', async () => {
    const { id } = await suite.store.add({ serviceId: PATTERN, name: 'CAS', logoutType: 'back' });
    const options = ['add', '--service', id, '--client-id', 'app', '--redirect-uri', URI];
    expect(await issued(...options)).toMatchObject({ clientId: 'app', service: id });
    expect(await stored()).toMatchObject({
      id,
      serviceId: PATTERN,
      name: 'CAS',
      logoutType: 'back',
      attributeRelease: { kind: 'none' },
    });
    for (const command of ['service', 'client']) {
      const { stdout } = await suite.run(command, 'list', '--json');
      expect(JSON.parse(stdout)).toMatchObject([{ id, serviceId: PATTERN, clientId: 'app' }]);
    }
  });

  test('of one client id, from two at once: one wins, the other is told so', async () => {
    const results = await Promise.all([add(), add(), add()]);
    expect(results.map(({ exitCode }) => exitCode).toSorted()).toEqual([0, 1, 1]);
    const errors = results.filter(({ exitCode }) => exitCode === 1);
    expect(new Set(errors.map(({ stderr }) => stderr))).toEqual(
      new Set(['tessera: another service has this client id\n']),
    );
    expect(await suite.store.list()).toHaveLength(1);
  });
});

describe('remove', () => {
  test('removes a client that takes no part in CAS', async () => {
    await added();
    expect(await tessera('remove', 'app')).toMatchObject({ stdout: 'removed app\n', stderr: '' });
    expect(await suite.store.list()).toEqual([]);
  });

  test('leaves a service of CAS, whose old secret no later client has', async () => {
    const before = await suite.store.add({ serviceId: PATTERN, name: 'CAS' });
    const join = ['add', '--service', before.id, '--client-id', 'app', '--redirect-uri', URI];
    const { secret } = await issued(...join);
    expect(await tessera('remove', 'app')).toMatchObject({ exitCode: 0, stderr: '' });
    expect(await suite.store.list()).toEqual([before]);
    await issued(...join);
    expect(await isSecret(secret)).toBe(false);
  });
});

describe('update of the method', () => {
  const NO_SECRET = 'tessera: the client has no secret: "tessera client secret app" makes one\n';

  test.each<[string, readonly string[]]>([
    ['a public client', ['--public']],
    ['one that signs', ['--auth-method', 'private_key_jwt', '--jwks-uri', 'https://a/keys']],
  ])('removes the secrets of %s, and says how to make one later', async (_what, options) => {
    const { secret } = await added();
    expect(await tessera('update', 'app', ...options)).toMatchObject({ exitCode: 0, stderr: '' });
    const back = await tessera('update', 'app', '--no-auth-method');
    expect(back).toEqual({ exitCode: 0, stdout: 'updated app\n', stderr: NO_SECRET });
    expect(await isSecret(secret)).toBe(false);
  });

  test('keeps the secrets of a client that uses them in another way', async () => {
    const { secret } = await added();
    const { stderr } = await tessera('update', 'app', '--auth-method', 'client_secret_post');
    expect({ stderr, isKept: await isSecret(secret) }).toEqual({ stderr: '', isKept: true });
  });
});

describe('secret', () => {
  test.each([
    ['ends the old one at once', [], false],
    ['keeps the old one for a while', ['--keep-old', '24h'], true],
  ])('%s', async (_what, options, isKept) => {
    const { secret: old } = await added();
    const { secret } = await issued('secret', 'app', ...options);
    expect(await isSecret(secret)).toBe(true);
    expect(await isSecret(old)).toBe(isKept);
  });

  test('is refused for a public client', async () => {
    await added('--public');
    expect(await tessera('secret', 'app')).toEqual({
      exitCode: 1,
      stdout: '',
      stderr: 'tessera: client has no secret: its method is none\n',
    });
  });
});
