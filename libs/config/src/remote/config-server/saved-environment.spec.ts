// The saved answer of a config server: who can read it, and when it is used.
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import {
  chmod,
  mkdir,
  readdir,
  readFile,
  rename,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { envelopeRingKey, KeyRing, rsaRingKey } from '@tessera/crypto';
import { configureLogging } from '@tessera/logging';
import type { SourceResult } from '../../settings/index.js';
import { makeFolder, removeFolder } from '../../../../../test/support/folders.js';
import { reply, FakeHttpServer } from '../../../../../test/support/fake-http-server.js';
import { ConfigServerClientSettings } from './config-server-client-settings.js';
import { ConfigServerSource } from './config-server-source.js';

type Handler = ReturnType<typeof reply>;

const CANARY = 'canary-of-a-secret';
const AWAY = reply(503, '');
const REFUSED = reply(403, '');
const OTHER = 'is of another environment: sso';
const KEYS = newKeys();

let server: FakeHttpServer;
let folder: string;
let path: string;
const lines: string[] = [];

beforeAll(async () => {
  server = await FakeHttpServer.start();
});
afterAll(() => server.stop());
beforeEach(async () => {
  folder = await makeFolder();
  path = join(folder, 'kept');
  lines.length = 0;
  configureLogging({ application: 'sso', levels: {}, write: (line) => lines.push(line) });
});
afterEach(async () => {
  expect(lines.join('\n')).not.toContain(CANARY);
  configureLogging({ application: 'sso', levels: {} });
  await removeFolder(folder);
});

function newKeys(): KeyRing {
  return new KeyRing([envelopeRingKey({ kid: 'a', key: randomBytes(32) })]);
}

function rsaKeys(): KeyRing {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
  const options = { padding: 'DEFAULT', strong: false, salt: 'deadbeef' } as const;
  return new KeyRing([rsaRingKey('rsa', privateKey, options)]);
}

const onServer = (url: string): string => url.replace('SERVER', server.url);

function serving(value: string): Handler {
  const propertySources = [{ name: 'file:sso.yml', source: { 'sso.secret': value } }];
  return reply(200, { propertySources }, { 'content-type': 'application/json' });
}

interface Given extends Partial<ConfigServerClientSettings> {
  readonly keys?: KeyRing | undefined;
  readonly profiles?: readonly string[];
  readonly applicationName?: string;
  readonly readOnly?: boolean;
  /** Whether the settings of all sources are valid. */
  readonly isValid?: boolean;
}

/** By default with a new source, as after a restart. */
async function load(
  response: Handler,
  given: Given = {},
  source = new ConfigServerSource(),
): Promise<SourceResult> {
  server.respondWith(response);
  const { applicationName = 'sso', profiles = ['prod'], readOnly = false, ...others } = given;
  const { keys: givenKeys, isValid = true, ...rest } = others;
  const keys = 'keys' in given ? givenKeys : KEYS;
  const settings = { urls: [server.url], maxAttempts: 1, lastKnownGood: path, ...rest };
  const group = () => Object.assign(new ConfigServerClientSettings(), settings);
  const request = { applicationName, profiles, keys, readOnly, group: group as never };
  const { accept, ...result } = await source.load(request);
  if (isValid) await accept?.();
  return result;
}

const valuesOf = ({ values }: SourceResult): string => JSON.stringify(values);

describe('a good answer', () => {
  test('is kept encrypted, for nobody else to read, and nothing beside it', async () => {
    await load(serving(CANARY));
    expect(await readFile(path, 'latin1')).toMatch(/^v1\.a\.[\w-]+$/);
    expect((await stat(path)).mode & 0o7777).toBe(0o600);
    expect(await readdir(folder)).toEqual(['kept']);
  });

  test('takes the place of the one before', async () => {
    await load(serving('first'));
    await load(serving('second'));
    expect(valuesOf(await load(AWAY))).toContain('second');
  });

  test('is not kept by a program that only reads, which uses what was kept', async () => {
    await load(serving('first'));
    expect(valuesOf(await load(serving('second'), { readOnly: true }))).toContain('second');
    expect(valuesOf(await load(AWAY, { readOnly: true }))).toContain('first');
  });

  test('is not kept where settings are refused, on whose ever account', async () => {
    await load(serving('first'));
    expect(valuesOf(await load(serving('second'), { isValid: false }))).toContain('second');
    expect(valuesOf(await load(AWAY))).toContain('first');
  });

  test.each([
    ['the directory is missing', () => removeFolder(folder), 'cannot be written (ENOENT)'],
    ['a directory has its name', () => mkdir(path), 'cannot be written (EISDIR)'],
  ])('is used although it cannot be kept, because %s', async (_why, spoil, reason) => {
    await spoil();
    expect(valuesOf(await load(serving(CANARY)))).toContain(CANARY);
    expect(lines.join()).toContain(`${path} ${reason}`);
  });

  test('is used although it is too large to be kept', async () => {
    expect(valuesOf(await load(serving('x'.repeat(1e6))))).toContain('xxx');
    expect(lines.join()).toContain(`${path} would have more than 1048576 bytes`);
    expect(await readdir(folder)).toEqual([]);
  });

  test('is not kept with a value in it that the server could not decrypt', async () => {
    await load(serving('good'));
    const source = { 'invalid.sso.secret': '<n/a>' };
    const body = { propertySources: [{ name: 'a', source }] };
    const bad = reply(200, body, { 'content-type': 'application/json' });
    expect((await load(bad)).violations).toHaveLength(1);
    expect(valuesOf(await load(AWAY))).toContain('good');
  });
});

describe('what was kept', () => {
  test.each([true, false])(
    'counts while no server answers, with fail-fast=%s',
    async (failFast) => {
      await load(serving(CANARY));
      const { values, violations } = await load(AWAY, { failFast });
      expect(violations).toEqual([]);
      expect(values).toEqual([
        {
          key: 'sso',
          value: expect.objectContaining({ secret: CANARY }),
          origin: expect.stringMatching(
            /^config server http:\/\/127\.0\.0\.1:\d+ at 20[-\d]+T[\d:.]+Z \(file:sso\.yml\)$/,
          ),
        },
      ]);
      expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({
        level: 'warn',
        reason: `${server.url} answers 503`,
        hours: 0,
        msg: 'no config server answers; last known good is used',
      });
    },
  );

  test('does not count where the server refuses', async () => {
    await load(serving(CANARY));
    const { values, violations } = await load(REFUSED);
    expect(values).toEqual([]);
    expect(violations).toHaveLength(1);
  });

  test.each<[string, Given, () => Promise<unknown>, string]>([
    ['that is not there', {}, () => removeFolder(folder), 'does not exist'],
    ['that the group may read', {}, () => chmod(path, 0o640), 'has mode 0640, which lets others'],
    ['that is a link', {}, link, 'is a link'],
    [
      'that is empty',
      {},
      () => writeFile(path, ''),
      'is damaged, or was encrypted with another key',
    ],
    ['that was cut', {}, cut, 'is damaged, or was encrypted with another key'],
    ['of another key', { keys: newKeys() }, async () => {}, 'is damaged, or was encrypted'],
    ['of something else', {}, () => put('[]'), 'is damaged'],
    ['of no environment', {}, () => put(content({ json: '{}' })), 'is damaged'],
    ['of no time', {}, () => put(content({ time: 'now' })), 'is damaged'],
    ['of an older form', {}, () => put(content({ server: 1 })), 'is damaged'],
    [
      'of another application',
      { applicationName: 'billing' },
      async () => {},
      `${OTHER}, profiles prod`,
    ],
    ['of other profiles', { profiles: ['prod', 'eu'] }, async () => {}, OTHER],
    ['of another label', { label: 'main' }, async () => {}, OTHER],
  ])('in a file %s does not count', async (_which, given, spoil, reason) => {
    await load(serving(CANARY));
    await spoil();
    const { values, violations } = await load(AWAY, given);
    expect(values).toEqual([]);
    expect(violations).toEqual([
      {
        key: 'sso.config-server.url',
        message: expect.stringContaining(`${server.url} answers 503; ${path} ${reason}`),
      },
    ]);
  });

  test.each([
    ['another server', ['http://127.0.0.1:1']],
    ['another path', ['SERVER/other']],
  ])('does not count where settings name %s alone', async (_what, urls) => {
    await load(serving(CANARY));
    const { values, violations } = await load(AWAY, { urls: urls.map(onServer) });
    expect(values).toEqual([]);
    const messages = violations.map(({ message }) => message);
    const reason = `; ${path} is of another server: ${server.url};`;
    expect(messages).toEqual(urls.map(() => expect.stringContaining(reason)));
  });

  test('counts where its server is one of several', async () => {
    await load(serving(CANARY));
    const urls = ['SERVER/other', 'SERVER//'].map(onServer);
    expect(valuesOf(await load(AWAY, { urls }))).toContain(CANARY);
  });

  async function link(): Promise<void> {
    await rename(path, `${path}.elsewhere`);
    await symlink(`${path}.elsewhere`, path);
  }

  async function cut(): Promise<void> {
    await writeFile(path, (await readFile(path)).subarray(0, -5));
  }

  function content(changed: object): string {
    const json = '{"propertySources":[]}';
    const whole = { name: 'sso, profiles prod', server: 'x', time: new Date(), json };
    return JSON.stringify({ ...whole, ...changed });
  }

  async function put(text: string): Promise<void> {
    await writeFile(path, await KEYS.encrypt(Buffer.from(text)));
  }
});

test.each<[string, KeyRing | undefined]>([
  ['without a key', undefined],
  ['with an RSA key alone, to whose public half anybody can encrypt', rsaKeys()],
])('nothing is kept %s, and that is said', async (_which, keys) => {
  expect(await load(serving(CANARY), { keys })).toEqual({
    values: [],
    violations: [
      {
        key: 'sso.config-server.last-known-good',
        message: 'needs a key to encrypt the file with: sso.standalone.security.password',
      },
    ],
  });
  expect(await readdir(folder)).toEqual([]);
});

describe('without a file, at a reload', () => {
  const given = { lastKnownGood: '', failFast: false };

  test('what was refused does not', async () => {
    const source = new ConfigServerSource();
    const first = await load(serving('first'), given, source);
    await load(serving('second'), { ...given, isValid: false }, source);
    expect(await load(AWAY, given, source)).toEqual(first);
  });

  test.each<[string, Given]>([
    ['away', {}],
    ['to give another label', { label: 'main' }],
    ['another', { urls: ['http://127.0.0.1:1'] }],
  ])('what came once stays while the server is %s, and one warning says so', async (_, to) => {
    const source = new ConfigServerSource();
    const first = await load(serving(CANARY), given, source);
    expect(await load(AWAY, { ...given, ...to }, source)).toEqual(first);
    expect(lines.filter((line) => line.includes('its last answer stays in use'))).toHaveLength(1);
  });

  test('what came once goes with the last address', async () => {
    const source = new ConfigServerSource();
    await load(serving(CANARY), given, source);
    expect((await load(AWAY, { ...given, urls: [] }, source)).values).toEqual([]);
    expect((await load(AWAY, given, source)).values).toEqual([]);
  });
});
