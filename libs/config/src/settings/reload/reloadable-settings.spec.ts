import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import {
  reloadViolations,
  SettingsHome,
  takeOver,
  type TestSettings,
  unprepared,
} from '../../../../../test/support/live-settings.js';
import type { SettingsSource } from '../settings-source.js';
import { SettingsError } from '../settings-error.js';
import type { ReloadableSettings } from './reloadable-settings.js';

let home: SettingsHome;

beforeEach(async () => {
  home = await SettingsHome.make();
});

afterEach(() => home.remove());

describe('settings that were read again', () => {
  test.each<[string, readonly [object, object], string[], string[]]>([
    ['nothing', [{ 'sso.greeting': 'a' }, { 'sso.greeting': 'a' }], [], []],
    ['the same from elsewhere', [{}, { 'sso.greeting': 'hello' }], [], []],
    ['a live one', [{}, { 'sso.greeting': 'a' }], ['sso.greeting'], []],
    ['one that was taken out', [{ 'sso.greeting': 'a' }, {}], ['sso.greeting'], []],
    ['a secret', [{ 'sso.password': 'a' }, { 'sso.password': 'b' }], ['sso.password'], []],
    [
      'secrets within',
      [{ 'sso.secrets': { a: 'a' } }, { 'sso.secrets': { a: 'b' } }],
      ['sso.secrets'],
      [],
    ],
    [
      'a group',
      [{}, { 'sso.role': { name: 'a', value: 'b' } }],
      ['sso.role.name', 'sso.role.value'],
      [],
    ],
    [
      'levels',
      [{ 'logging.level.a': 'info' }, { 'logging.level.b.c': 'info' }],
      ['logging.level.a', 'logging.level.b.c'],
      [],
    ],
    [
      'groups by name, one of them new and one gone',
      [
        { 'sso.place': { a: { url: 'x', size: 4 }, b: { url: 'x' } } },
        { 'sso.place': { a: { url: 'x', size: 5 }, c: { url: 'x' } } },
      ],
      ['sso.place.a.size', 'sso.place.b.url', 'sso.place.c.url'],
      [],
    ],
    ['one that waits', [{}, { 'sso.port': 1 }], ['sso.port'], ['sso.port']],
    ['a change that counts', [{}, { 'sso.even': 2 }], ['sso.even'], []],
    ['a change that waits', [{}, { 'sso.even': 1 }], ['sso.even'], ['sso.even']],
  ])('are reported by the keys that changed: %s', async (_, [before, after], ...keys) => {
    await home.write(before);
    const live = await home.load();
    await home.write(after);
    expect(await takeOver(live)).toEqual(keys);
    const [, due] = keys;
    expect(await takeOver(live)).toEqual([[], due]);
  });

  test('count when they are committed, and not before', async () => {
    const live = await home.load();
    const before = live.current;
    await home.write({ 'sso.greeting': 'a' });
    const { commit } = await live.stage(unprepared);
    expect(live.current).toBe(before);
    commit();
    expect(live.current.greeting).toBe('a');
    expect(before.greeting).toBe('hello');
    expect(Object.isFrozen(live.current) && Object.isFrozen(live.current.role)).toBe(true);
    expect(live.loaded.origins('sso.greeting')).toContain('config/sso.yml:1');
  });

  test('are as if they had never been read, once discarded', async () => {
    const live = await home.load();
    await home.write({ 'sso.greeting': 'a' });
    (await live.stage(unprepared)).discard();
    expect(live.current.greeting).toBe('hello');
    expect(await takeOver(live)).toEqual([['sso.greeting'], []]);
  });

  test('need a restart for as long as the waiting value differs from the current one', async () => {
    const live = await home.load();
    await home.write({ 'sso.port': 1 });
    await takeOver(live);
    await home.write({ 'sso.port': 1, 'sso.greeting': 'a' });
    expect(await takeOver(live)).toEqual([['sso.greeting'], ['sso.port']]);
    await home.write({ 'sso.port': 2, 'sso.greeting': 'a' });
    expect(await takeOver(live)).toEqual([['sso.port'], ['sso.port']]);
    expect(live.current).toMatchObject({ port: 8080, greeting: 'a' });
    await home.write({ 'sso.port': 8080, 'sso.greeting': 'a' });
    expect(await takeOver(live)).toEqual([[], []]);
  });

  test('are refused with every problem where they are wrong, nothing being changed', async () => {
    const live = await home.load();
    const before = live.current;
    await home.write({ 'sso.port': -1, 'sso.greeting': 'a', 'sso.colour': 'red' });
    const refused = await reloadViolations(live);
    expect(refused).toHaveLength(2);
    expect(refused.join()).toContain('sso.port: must not be less than 0');
    expect(refused.join()).toContain('sso.colour: is not a known setting');
    expect(live.current).toBe(before);
  });

  test('are refused where a rule would be broken until the restart', async () => {
    const live = await home.load();
    await home.write({ 'sso.port': 1, 'sso.greeting': '8080' });
    expect(await reloadViolations(live)).toEqual([
      expect.stringMatching(
        /^sso.greeting: must not be the port \(until the restart that sso.port needs\)/,
      ),
    ]);
  });

  test('are refused where they are for other profiles', async () => {
    const credentials = join(home.directory, 'credentials');
    await mkdir(credentials);
    const live = await home.load({ credentialDirectories: [credentials] });
    await writeFile(join(credentials, 'profiles.active'), 'dev');
    expect(await reloadViolations(live)).toEqual(['profiles.active: can only change at a restart']);
  });

  test('do not make the log as it is to be before they count', async () => {
    let calls = 0;
    const live = await home.load({ onLocal: () => (calls += 1) });
    await live.stage(unprepared);
    expect(calls).toBe(1);
  });
});

describe('a remote source', () => {
  test.each<[string, string, (live: ReloadableSettings<TestSettings>) => Promise<unknown>]>([
    ['taken once it is applied', 'accept', takeOver],
    [
      'discarded with the rest',
      'discard',
      async (live) => (await live.stage(unprepared)).discard(),
    ],
    [
      'discarded where settings are wrong',
      'discard',
      async (live) => {
        await home.write({ 'sso.port': -1 });
        return reloadViolations(live);
      },
    ],
    [
      'discarded where the application cannot start with the others',
      'discard',
      async (live) => {
        await home.write({ 'sso.greeting': 'a' });
        return reloadViolations(live, () => Promise.reject(new Error('no')));
      },
    ],
  ])('learns that its value is %s', async (_, verdict, reload) => {
    const calls: string[] = [];
    const source: SettingsSource = {
      load: () =>
        Promise.resolve({
          values: [],
          violations: [],
          accept: () => Promise.resolve(void calls.push('accept')),
          discard: () => calls.push('discard'),
        }),
    };
    const live = await home.load({ sources: [source] });
    await reload(live);
    expect(calls).toEqual(['accept', verdict]);
  });

  test('is not notified before it is applied', async () => {
    let accepted = 0;
    const accept = (): Promise<void> => Promise.resolve(void (accepted += 1));
    const source = { load: () => Promise.resolve({ values: [], violations: [], accept }) };
    const live = await home.load({ sources: [source] });
    const { commit } = await live.stage(unprepared);
    expect(accepted).toBe(1);
    commit();
    expect(accepted).toBe(2);
  });
});

describe('the files that call for a reload', () => {
  test('are those that were read, those that would be, and those that settings name', async () => {
    await home.write({});
    const credentials = join(home.directory, 'credentials');
    await mkdir(credentials);
    await writeFile(join(credentials, 'sso.greeting'), 'a');
    await writeFile(join(home.directory, 'password'), 'abc', { mode: 0o600 });
    const live = await home.load({
      credentialDirectories: [credentials],
      argv: [
        '--sso.standalone.security.password=@password',
        '--profiles.active=a',
        '--sso.file=/etc/key',
      ],
    });
    expect(live.files).toEqual(
      expect.arrayContaining([
        join(home.directory, 'config/sso.yml'),
        join(home.directory, 'config/application-a.properties'),
        join(home.directory, 'password'),
        credentials,
        join(credentials, 'sso.greeting'),
        '/etc/key',
      ]),
    );
  });
});

describe('the application', () => {
  test('is made ready before settings are current, and changes with them', async () => {
    const live = await home.load();
    const seen: string[] = [];
    const prepare = (next: TestSettings) => {
      seen.push(`ready for ${next.greeting}, current ${live.current.greeting}`);
      return Promise.resolve({
        commit: () => seen.push(`current ${live.current.greeting}`),
        discard: () => seen.push('discarded'),
      });
    };
    live.onCommit(({ changed }, before) => seen.push(`${changed.join()} was ${before.greeting}`));
    await home.write({ 'sso.greeting': 'a' });
    (await live.stage(prepare)).discard();
    (await live.stage(prepare)).commit();
    expect(seen).toEqual([
      'ready for a, current hello',
      'discarded',
      'ready for a, current hello',
      'current a',
      'sso.greeting was hello',
    ]);
  });

  test.each<[string, object, boolean]>([
    ['a setting has changed', { 'sso.greeting': 'a' }, true],
    ['a file that settings name has changed', {}, true],
    ['a change waits for a restart', { 'sso.port': 1 }, false],
    ['nothing has changed', {}, false],
  ])('is made anew where %s: %j', async (rule, settings, isPrepared) => {
    const file = join(home.directory, 'key');
    await writeFile(file, 'a');
    await home.write({ 'sso.file': file });
    const live = await home.load();
    await home.write({ 'sso.file': file, ...settings });
    if (rule.startsWith('a file')) await writeFile(file, 'other');
    let count = 0;
    const prepare = () => {
      count += 1;
      return unprepared();
    };
    const { files, commit } = await live.stage(prepare);
    commit();
    expect([count === 1, files]).toEqual([
      isPrepared,
      rule.startsWith('a file') ? [file] : undefined,
    ]);
    await live.stage(prepare);
    expect(count === 1).toBe(isPrepared);
  });

  test('that cannot start leaves everything as it is, and says why', async () => {
    const live = await home.load();
    await home.write({ 'sso.greeting': 'a' });
    const violation = { key: 'sso.greeting', message: 'is too short' };
    const refuse = () => Promise.reject(new SettingsError('sso', [violation]));
    expect(await reloadViolations(live, refuse)).toEqual([
      'sso.greeting: is too short (config/sso.yml:1)',
    ]);
    expect(live.current.greeting).toBe('hello');
  });
});
