import { describe, expect, test } from '@jest/globals';
import { SERVICE_DEFAULTS } from '@tessera/services';
import { TERMINAL_CONTROLS } from '../../../../test/support/command-line.js';
import { FULL_SERVICE, serviceCommandSuite } from '../../../../test/support/service-commands.js';

const least = { serviceId: 'https://a\\.example\\.org/.*', name: 'a' };

const suite = serviceCommandSuite();
const tessera = (...args: readonly string[]) => suite.tessera(...args);

describe('an error ends with 1 and one line that names it, and nothing changes', () => {
  test.each<[string, readonly string[], RegExp]>([
    ['an unknown id', ['update', '4711', '--name', 'b'], /^tessera: there is no service "4711"/],
    ['no id', ['update'], /missing required argument 'id'/],
    ['disable: an unknown id', ['disable', 'x\u001b[2J'], /^tessera: there is no service "x.+"/],
    [
      'several fields at once',
      ['update', 'ID', '--pattern', '(', '--name', '', '--order', 'x'],
      /^tessera: name must.*evaluationOrder must.*serviceId is not an RE2/,
    ],
    [
      'two kinds of release',
      ['update', 'ID', '--release-all', '--no-release'],
      /'--release-all' cannot be used with option '--no-release'/,
    ],
    ['a switch that has commands', ['update', 'ID', '--disabled'], /unknown option '--disabled'/],
  ])('%s', async (_what, args, error) => {
    const before = await suite.store.add(FULL_SERVICE);
    const given = args.map((each) => (each === 'ID' ? before.id : each));
    const { exitCode, stdout, stderr } = await tessera(...given);
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
    expect(stderr).toMatch(error);
    expect(stderr).not.toMatch(TERMINAL_CONTROLS);
    expect(await suite.store.list()).toEqual([before]);
  });
});

test('a stored pattern that looks like a glob stays, with a warning', async () => {
  const { id } = await suite.store.add({ ...least, serviceId: 'https://b/*' });
  const stdout = `updated ${id}\n`;
  const renamed = await tessera('update', id, '--name', 'b');
  expect(renamed).toMatchObject({ exitCode: 0, stdout, stderr: '' });
  const again = await tessera('update', id, '--pattern', 'https://b/*', '--name', 'c');
  expect(again).toMatchObject({ exitCode: 0, stdout });
  expect(again.stderr).toMatch(/^tessera: serviceId must be .*did you mean https:\/\/b\/\.\*\?\n$/);
});

describe('update', () => {
  test.each<[readonly string[], object]>([
    [['--pattern', 'https://b/.*', '--name', 'b'], { serviceId: 'https://b/.*', name: 'b' }],
    [
      ['--no-require', '--require', 'site=x', '--require', 'site=y'],
      { requiredAttributes: { site: ['x', 'y'] } },
    ],
    [
      ['--require-all', '--reject', 'site=z.*'],
      { requireAllAttributes: true, rejectedAttributes: { site: ['z.*'] } },
    ],
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
  ])('%j changes only those fields', async (options, fields) => {
    const before = await suite.store.add(FULL_SERVICE);
    expect(await tessera('update', before.id, ...options)).toEqual({
      exitCode: 0,
      stdout: `updated ${before.id}\n`,
      stderr: '',
    });
    expect(await suite.store.find(before.id)).toEqual({ ...before, ...fields });
  });

  test('--no-sso asks for a fresh login', async () => {
    const before = await suite.store.add(least);
    await tessera('update', before.id, '--no-sso');
    expect(await suite.store.find(before.id)).toEqual({ ...before, ssoEnabled: false });
  });

  test('--no-… resets each field to its default', async () => {
    const before = await suite.store.add(FULL_SERVICE);
    const names = [
      'description',
      'order',
      'expires',
      'require',
      'reject',
      'refused-url',
      'release',
      'release-values',
      'username-attribute',
      'proxy',
      'response',
    ];
    const options = [
      ...names,
      'st-lifetime',
      'pt-lifetime',
      'logout',
      'logout-url',
      'property',
    ].map((name) => `--no-${name}`);
    expect(await tessera('update', before.id, ...options)).toMatchObject({ stderr: '' });
    const { enabled, ssoEnabled, requireAllAttributes } = before;
    const { protocolAttributes, defaultAttributes } = before;
    expect(await suite.store.find(before.id)).toEqual({
      ...before,
      ...SERVICE_DEFAULTS,
      serviceId: before.serviceId,
      enabled,
      ssoEnabled,
      requireAllAttributes,
      protocolAttributes,
      defaultAttributes,
    });
  });

  test.each<[string, readonly string[]]>([
    ['nothing', []],
    ['only current values', ['--name', 'a', '--no-sso', '--require', 'memberOf=staff']],
  ])('reports it where the options contain %s, and writes nothing', async (_what, options) => {
    const { id } = await suite.store.add(FULL_SERVICE);
    const version = await suite.store.version();
    expect(await tessera('update', id, ...options)).toMatchObject({
      exitCode: 0,
      stdout: `unchanged ${id}\n`,
    });
    expect(await suite.store.version()).toBe(version);
  });

  test('keeps the id in the file that the service was imported from', async () => {
    const given = { importId: '7', definition: { ...SERVICE_DEFAULTS, ...least } };
    await suite.store.import([given]);
    const [{ id } = { id: '' }] = await suite.store.list();
    await tessera('update', id, '--name', 'b');
    expect((await suite.store.readAll()).services).toMatchObject([
      { importId: '7', service: { id, name: 'b' } },
    ]);
  });
});

test('add has none of the options that reset a field', async () => {
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
    const before = await suite.store.add({ ...FULL_SERVICE, enabled });
    expect(await tessera(command, before.id)).toEqual({
      exitCode: 0,
      stdout: `${command}d ${before.id}\n`,
      stderr: '',
    });
    expect(await suite.store.find(before.id)).toEqual({ ...before, enabled: command === 'enable' });
  });

  test('enable lasts until the next import of a file that is not understood', async () => {
    const given = { importId: '7', definition: { ...SERVICE_DEFAULTS, ...least, enabled: false } };
    await suite.store.import([given]);
    const [{ id } = { id: '' }] = await suite.store.list();
    await tessera('enable', id);
    expect(await suite.store.list()).toMatchObject([{ id, enabled: true }]);
    await suite.store.import([given]);
    expect(await suite.store.list()).toMatchObject([{ id, enabled: false }]);
  });
});
