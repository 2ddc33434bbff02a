import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { SettingsError } from '../settings-error.js';
import {
  reloadViolations,
  SettingsHome,
  takeOver,
  type TestSettings,
} from '../../../../../test/support/live-settings.js';

const UNTOLD = 'settings could not be used: the log says why';

/** As our libraries have them. */
class KeyError extends Error {
  override readonly name = 'KeyError';
  readonly code = 'KEY_UNUSABLE';
}

class PackageError extends Error {
  override readonly name = 'PackageError';
  readonly code = 'UND_ERR_CONNECT_TIMEOUT';
}

let home: SettingsHome;

beforeEach(async () => {
  home = await SettingsHome.make();
});

afterEach(() => home.remove());

describe('what is derived from settings', () => {
  const of = (settings: TestSettings): string => settings.greeting;

  test('is the one of the current settings', async () => {
    const live = await home.load();
    const derived = await live.derive({ of, make: (greeting) => `${greeting}!` });
    expect(derived.value).toBe('hello!');
    await home.write({ 'sso.greeting': 'a' });
    const { commit } = await live.stage();
    expect(derived.value).toBe('hello!');
    commit();
    expect(derived.value).toBe('a!');
  });

  test('is created again only when its part changed', async () => {
    const live = await home.load();
    let made = 0;
    await live.derive({ of, make: () => (made += 1) });
    await home.write({ 'sso.role.name': 'a' });
    await takeOver(live);
    expect(made).toBe(1);
    await home.write({ 'sso.greeting': 'a' });
    await takeOver(live);
    expect(made).toBe(2);
  });

  test('is created again when one of its files changed', async () => {
    const file = join(home.directory, 'key');
    await writeFile(file, 'a');
    const live = await home.load();
    let made = 0;
    await live.derive({ of, make: () => (made += 1), files: () => [file] });
    await takeOver(live);
    expect(made).toBe(1);
    await writeFile(file, 'b');
    expect(await takeOver(live)).toEqual([[], []]);
    expect(made).toBe(2);
  });

  test('refuses settings that it cannot be made of; whatever else was made for them is retired', async () => {
    const live = await home.load();
    const retired: string[] = [];
    const good = await live.derive({
      of,
      make: (value) => value,
      retire: (it) => retired.push(it),
    });
    await live.derive({
      of,
      make: (value) => {
        if (value === 'a') throw new KeyError('sso.greeting: no key in /etc/key');
      },
    });
    await home.write({ 'sso.greeting': 'a' });
    expect(await reloadViolations(live)).toEqual(['sso.greeting: no key in /etc/key']);
    expect([good.value, ...retired]).toEqual(['hello', 'a']);
    expect(live.current.greeting).toBe('hello');
  });

  test.each<[string, unknown, string[]]>([
    ['an error of ours in its words', new KeyError('no key'), ['no key']],
    [
      'problems with the place of their key',
      new SettingsError('sso', [{ key: 'sso.greeting', message: 'is none' }]),
      ['sso.greeting: is none (config/sso.yml:1)'],
    ],
    [
      'problems with the place that they name',
      new SettingsError('sso', [{ key: 'sso.greeting', message: 'is none', origin: 'here' }]),
      ['sso.greeting: is none (here)'],
    ],
    ['nothing of any other error', new Error('geheim'), [UNTOLD]],
    ['nothing of what is no error', 'geheim', [UNTOLD]],
    [
      'nothing of errors of Node',
      Object.assign(new Error('geheim'), { code: 'EAI_AGAIN' }),
      [UNTOLD],
    ],
    ['nothing of errors of packages', new PackageError('geheim'), [UNTOLD]],
  ])('reports what keeps it from being created again %s', async (_, fault, lines) => {
    const live = await home.load();
    await live.derive({
      of,
      make: (value) => {
        if (value === 'a') throw fault;
      },
    });
    await home.write({ 'sso.greeting': 'a' });
    const error: unknown = await live.stage().catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ lines });
    expect((error as Error).cause).toBe(lines.includes(UNTOLD) ? fault : undefined);
  });

  test('keeps a program from starting where it cannot be made', async () => {
    const live = await home.load();
    const make = (): never => {
      throw new Error('no key');
    };
    await expect(live.derive({ of, make })).rejects.toThrow('no key');
  });

  test('is retired when another has its place and nobody uses it', async () => {
    const live = await home.load();
    const retired: string[] = [];
    const derived = await live.derive({ of, make: (it) => it, retire: (it) => retired.push(it) });
    const gate = Promise.withResolvers<undefined>();
    const using = derived.use(async (value) => {
      await gate.promise;
      return [value, ...retired];
    });
    await home.write({ 'sso.greeting': 'a' });
    await takeOver(live);
    expect(await derived.use((value) => Promise.resolve([value, ...retired]))).toEqual(['a']);
    gate.resolve(undefined);
    expect(await using).toEqual(['hello']);
    expect(retired).toEqual(['hello']);
    await derived.close();
    expect(retired).toEqual(['hello', 'a']);
  });

  test('harms nobody by an error while it is closed', async () => {
    const live = await home.load();
    const derived = await live.derive({
      of,
      make: (it) => it,
      retire: () => Promise.reject(new Error('lost')),
    });
    await home.write({ 'sso.greeting': 'a' });
    await takeOver(live);
    expect(derived.value).toBe('a');
    await derived.close();
  });
});
