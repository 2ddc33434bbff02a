import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { makeFolder, removeFolder } from '../../../../test/support/folders.js';
import { pageTemplates, requireLogo, themeDirectories } from './page-templates.js';
import { Translations } from './translations.js';

let folder: string;
let translations: Translations;

beforeAll(async () => {
  folder = await makeFolder();
  translations = await Translations.load(themeDirectories('locales', ''));
  await mkdir(join(folder, 'views'));
  await mkdir(join(folder, 'public', 'images'), { recursive: true });
  await writeFile(join(folder, 'public', 'logo.svg'), '<svg/>');
});
afterAll(() => removeFolder(folder));

test.each([
  [
    'an unknown filter',
    "{{ 'a' | nothing }}",
    /^sso\.theme\.directory: undefined filter: nothing, file:.*login\.liquid/,
  ],
  [
    'an unclosed block',
    '{% if a %}',
    /^sso\.theme\.directory: tag {% if a %} not closed, file:.*login\.liquid/,
  ],
  [
    'an unknown tag',
    '{% nothing %}',
    /^sso\.theme\.directory: tag "nothing" not found, file:.*login\.liquid/,
  ],
  ['an unclosed output', '{{ a', /^sso\.theme\.directory: output "{{ a" not closed/],
])('a template with %s is refused, with its file', async (_, template, message) => {
  await writeFile(join(folder, 'views', 'login.liquid'), template);
  await expect(
    pageTemplates(themeDirectories('views', folder), translations),
  ).rejects.toMatchObject({
    name: 'ThemeError',
    exitCode: 78,
    message: expect.stringMatching(message),
  });
});

test.each(['', 'logo.svg', 'mark.svg', 'https://static.example.org/a.png'])(
  'the logo %j is accepted',
  async (logo) => requireLogo(logo, themeDirectories('public', folder)),
);

test.each(['logo.png', 'images', '../views/login.liquid/x'])('the logo %j is refused', (logo) =>
  expect(requireLogo(logo, themeDirectories('public', folder))).rejects.toThrow(
    `sso.theme.logo: there is no file public/${logo} in sso.theme.directory`,
  ),
);
