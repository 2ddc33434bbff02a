import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import {
  type NewService,
  RegisteredServiceEntity,
  SERVICE_DEFAULTS,
  ServiceStore,
} from '@tessera/services';
import { runTessera, TERMINAL_CONTROLS } from '../../../../test/support/command-line.js';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/database.js';

const least = { serviceId: 'https://a\\.example\\.org/.*', name: 'a' };
/** No field has its default. */
const full: NewService = {
  ...least,
  description: 'd',
  evaluationOrder: 7,
  enabled: false,
  ssoEnabled: false,
  requiredAttributes: { memberOf: ['staff'] },
  attributeRelease: { kind: 'mapped', names: { uid: ['id'] } },
  usernameAttribute: { kind: 'attribute', name: 'mail' },
  proxyPolicy: { kind: 'pattern', pattern: 'https://p/.*' },
  logoutType: 'front',
  logoutUrl: 'https://a/out',
  properties: { dialect: 'apereo' },
};

let database: TestDatabase;
let store: ServiceStore;
let directory: string;

beforeAll(async () => {
  database = await createTestDatabase({ entities: [RegisteredServiceEntity] });
  store = new ServiceStore(database.dataSource);
  directory = await mkdtemp(join(tmpdir(), 'tessera-cli-'));
});
afterAll(async () => {
  await database.drop();
  await rm(directory, { recursive: true });
});
beforeEach(() => database.dataSource.query('delete from registered_service'));

function tessera(...args: readonly string[]) {
  const settings = [`--database.url=${database.url}`, `--settings.location=${directory}`];
  return runTessera(['service', ...args, ...settings]);
}

describe('a fault ends with 1 and one line that names it, and nothing changes', () => {
  test.each<[string, readonly string[], RegExp]>([
    ['an unknown id', ['update', '4711', '--name', 'b'], /^tessera: there is no service "4711"/],
    ['an id that is none', ['update', 'x'], /^tessera: there is no service "x"/],
    ['no id', ['update'], /missing required argument 'id'/],
    ['enable: an unknown id', ['enable', '4711'], /^tessera: there is no service "4711"/],
    ['disable: an unknown id', ['disable', 'x\u001b[2J'], /^tessera: there is no service "x.+"/],
    [
      'several fields at once',
      ['update', 'ID', '--pattern', '(', '--name', '', '--order', 'x'],
      /^tessera: name must.*evaluationOrder must.*serviceId is not an RE2/,
    ],
    ['an odd requirement', ['update', 'ID', '--require', 'x'], /--require is written name=value/],
    ['an unknown logout', ['update', 'ID', '--logout', 'x'], /logoutType must be/],
    [
      'two kinds of release',
      ['update', 'ID', '--release-all', '--no-release'],
      /'--release-all' cannot be used with option '--no-release'/,
    ],
    [
      'two kinds of name',
      ['update', 'ID', '--anonymous', '--username-attribute', 'x'],
      /cannot be used with/,
    ],
    ['a switch that has commands', ['update', 'ID', '--disabled'], /unknown option '--disabled'/],
  ])('%s', async (_what, args, problem) => {
    const before = await store.add(full);
    const given = args.map((each) => (each === 'ID' ? before.id : each));
    const { exitCode, stdout, stderr } = await tessera(...given);
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
    expect(stderr).toMatch(problem);
    expect(stderr).not.toMatch(TERMINAL_CONTROLS);
    expect(await store.list()).toEqual([before]);
  });
});

describe('update', () => {
  test.each<[readonly string[], object]>([
    [['--pattern', 'https://b/.*', '--name', 'b'], { serviceId: 'https://b/.*', name: 'b' }],
    [['--require', 'site=x'], { requiredAttributes: { site: ['x'] } }],
    [
      ['--no-require', '--require', 'site=x', '--require', 'site=y'],
      { requiredAttributes: { site: ['x', 'y'] } },
    ],
    [['--release', 'mail'], { attributeRelease: { kind: 'allowed', names: ['mail'] } }],
    [
      ['--description', 'e', '--order', '-5', '--sso', '--release-all', '--anonymous'],
      {
        description: 'e',
        evaluationOrder: -5,
        ssoEnabled: true,
        attributeRelease: { kind: 'all' },
        usernameAttribute: { kind: 'anonymous' },
      },
    ],
    [
      ['--proxy', 'https://q/.*', '--logout', 'back', '--logout-url', 'https://a/bye'],
      {
        proxyPolicy: { kind: 'pattern', pattern: 'https://q/.*' },
        logoutType: 'back',
        logoutUrl: 'https://a/bye',
      },
    ],
    [['--property', 'a=b'], { properties: { a: 'b' } }],
  ])('%j changes those fields alone', async (options, fields) => {
    const before = await store.add(full);
    expect(await tessera('update', before.id, ...options)).toEqual({
      exitCode: 0,
      stdout: `updated ${before.id}\n`,
      stderr: '',
    });
    expect(await store.find(before.id)).toEqual({ ...before, ...fields });
  });

  test('--no-sso asks for a fresh login', async () => {
    const before = await store.add(least);
    await tessera('update', before.id, '--no-sso');
    expect(await store.find(before.id)).toEqual({ ...before, ssoEnabled: false });
  });

  test('--no-… puts each field back to its default', async () => {
    const before = await store.add(full);
    const names = ['description', 'order', 'require', 'release', 'username-attribute', 'proxy'];
    const options = [...names, 'logout', 'logout-url', 'property'].map((name) => `--no-${name}`);
    expect(await tessera('update', before.id, ...options)).toMatchObject({ stderr: '' });
    const { enabled, ssoEnabled } = before;
    expect(await store.find(before.id)).toEqual({
      ...before,
      ...SERVICE_DEFAULTS,
      enabled,
      ssoEnabled,
    });
  });

  test.each<[string, readonly string[]]>([
    ['nothing', []],
    ['what is so already', ['--name', 'a', '--no-sso', '--require', 'memberOf=staff']],
  ])('says so where it is given %s, and writes nothing', async (_what, options) => {
    const { id } = await store.add(full);
    const version = await store.version();
    expect(await tessera('update', id, ...options)).toMatchObject({
      exitCode: 0,
      stdout: `unchanged ${id}\n`,
    });
    expect(await store.version()).toBe(version);
  });

  test('keeps the id in the file that the service was imported from', async () => {
    const given = { importId: '7', definition: { ...SERVICE_DEFAULTS, ...least } };
    await store.import([given]);
    const [{ id } = { id: '' }] = await store.list();
    await tessera('update', id, '--name', 'b');
    expect((await store.readAll()).services).toMatchObject([
      { importId: '7', service: { id, name: 'b' } },
    ]);
  });
});

test('add takes none of the options that put a field back', async () => {
  const { exitCode, stderr } = await tessera('add', 'https://a/', '--name', 'a', '--no-release');
  expect([exitCode, stderr]).toEqual([1, expect.stringContaining('unknown option')]);
});

describe('enable and disable', () => {
  test.each<['enable' | 'disable', boolean]>([
    ['enable', false],
    ['enable', true],
    ['disable', true],
    ['disable', false],
  ])('%s a service that is enabled: %p', async (command, enabled) => {
    const before = await store.add({ ...full, enabled });
    expect(await tessera(command, before.id)).toEqual({
      exitCode: 0,
      stdout: `${command}d ${before.id}\n`,
      stderr: '',
    });
    expect(await store.find(before.id)).toEqual({ ...before, enabled: command === 'enable' });
  });

  test('enable counts until the next import of a file that is not understood', async () => {
    const given = { importId: '7', definition: { ...SERVICE_DEFAULTS, ...least, enabled: false } };
    await store.import([given]);
    const [{ id } = { id: '' }] = await store.list();
    await tessera('enable', id);
    expect(await store.list()).toMatchObject([{ id, enabled: true }]);
    await store.import([given]);
    expect(await store.list()).toMatchObject([{ id, enabled: false }]);
  });
});
