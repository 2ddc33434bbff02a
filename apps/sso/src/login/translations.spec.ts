import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { makeFolder, removeFolder } from '../../../../test/support/folders.js';
import { directionOf, Translations } from './translations.js';

const OWN = join(import.meta.dirname, 'locales');

const textsOf = async (name: string): Promise<Readonly<Record<string, string>>> =>
  JSON.parse(await readFile(join(OWN, name), 'utf8')) as Record<string, string>;

describe.each(['de', 'es', 'fr'])('%s', (locale) => {
  test('has the texts of English, with the same values in them', async () => {
    const [english, texts] = [await textsOf('en.json'), await textsOf(`${locale}.json`)];
    const values = (text = ''): readonly string[] => (text.match(/{{\w+}}/g) ?? []).toSorted();
    expect(Object.keys(texts)).toEqual(Object.keys(english));
    for (const [key, text] of Object.entries(english)) {
      expect([key, values(texts[key])]).toEqual([key, values(text)]);
    }
  });
});

test.each([
  ['ltr', ['en', 'de', 'zh-Hant', 'az', 'ku', 'pa-IN']],
  ['rtl', ['ar', 'he', 'fa-IR', 'ur', 'ps', 'ckb', 'yi', 'dv', 'az-Arab', 'pa-Arab']],
] as const)('languages written %s are known', (direction, locales) => {
  expect(locales.map(directionOf)).toEqual(locales.map(() => direction));
});

test('every text is used by a template or by the program', async () => {
  const folders = [import.meta.dirname, join(import.meta.dirname, 'views')];
  const names = await Promise.all(
    folders.map(async (folder) =>
      (await readdir(folder))
        .filter((name) => /\.(ts|liquid)$/.test(name))
        .map((name) => join(folder, name)),
    ),
  );
  const sources = (await Promise.all(names.flat().map((name) => readFile(name, 'utf8')))).join('');
  const unused = Object.keys(await textsOf('en.json')).filter(
    (key) => !sources.includes(`'${key}'`) && !/^(refused|error)\./.test(key),
  );
  expect(unused).toEqual([]);
});

describe('a directory of overrides', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await makeFolder();
    await mkdir(join(folder, 'locales'));
  });
  afterEach(() => removeFolder(folder));

  const load = (): Promise<Translations> => Translations.load([OWN, join(folder, 'locales')]);
  const write = (name: string, text: string): Promise<void> =>
    writeFile(join(folder, 'locales', name), text);

  test('replaces single texts and adds languages; missing texts are English', async () => {
    await write('en.json', '{"login.title":"Welcome"}');
    await write('pt-BR.json', '{"login.title":"Entrar"}');
    await write('README.md', 'not a language');
    const translations = await load();
    expect(translations.locales).toEqual(['en', 'de', 'es', 'fr', 'pt-BR']);
    expect(translations.translate('en', 'login.title')).toBe('Welcome');
    expect(translations.translate('pt-BR', 'login.title')).toBe('Entrar');
    expect(translations.translate('pt-BR', 'login.password')).toBe('Password');
    expect(translations.translate('de', 'login.title')).toBe('Anmelden');
  });

  test('may be missing', async () => {
    await removeFolder(folder);
    expect((await load()).locales).toContain('fr');
  });

  test.each([
    ['{', /en\.json is not JSON/],
    ['[]', /en\.json must be a JSON object of texts/],
    ['null', /en\.json must be a JSON object of texts/],
    ['{"a":1}', /en\.json must be a JSON object of texts/],
  ])('with the file %j refuses the start', async (text, message) => {
    await write('en.json', text);
    await expect(load()).rejects.toThrow(message);
    await expect(load()).rejects.toMatchObject({ code: 'THEME_UNUSABLE' });
  });
});
