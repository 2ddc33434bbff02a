// The template engine of the pages: Liquid, which escapes every value. @see https://liquidjs.com
import { readdir, stat } from 'node:fs/promises';
import { join, parse } from 'node:path';
import { Liquid } from 'liquidjs';
import { ThemeError } from './theme-error.js';
import type { Translations } from './translations.js';

/** The end of the names of template files. */
export const TEMPLATE_EXTENSION = 'liquid';

type NamedValue = readonly [name: string, value: unknown];

/**
 * @param directories of templates; files in earlier ones replace those of the same name in later ones, which has all
 * @throws ThemeError for a template that is not Liquid
 */
export async function pageTemplates(
  directories: readonly string[],
  translations: Translations,
): Promise<ReturnType<Liquid['express']>> {
  const liquid = new Liquid({
    root: [...directories],
    extname: `.${TEMPLATE_EXTENSION}`,
    outputEscape: 'escape',
    strictFilters: true,
    cache: true,
  });
  // {{ 'login.to' | t: application: application.name }}
  liquid.registerFilter('t', function translate(key: string, ...values: NamedValue[]) {
    const locale = String(this.context.getSync(['locale']));
    return translations.translate(locale, key, Object.fromEntries(values));
  });
  // {{ session.lastUsedAt | time }}: the server does not know the time zone of the user.
  liquid.registerFilter('time', function format(date: Date) {
    const locale = String(this.context.getSync(['locale']));
    const options = { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' } as const;
    return `${new Intl.DateTimeFormat(locale, options).format(date)} UTC`;
  });
  for (const file of await readdir(directories.at(-1) ?? '')) {
    await liquid.parseFile(parse(file).name).catch((error: unknown) => {
      throw new ThemeError(`sso.theme.directory: ${(error as Error).message}`);
    });
  }
  return liquid.express();
}

/** @throws ThemeError where the directory that settings name is none */
export async function requireThemeDirectory(override: string): Promise<void> {
  if (override === '') return;
  const found = await stat(override).catch(() => undefined);
  if (found?.isDirectory() === true) return;
  throw new ThemeError(`sso.theme.directory: ${override} is no directory`);
}

/** @throws ThemeError where the logo is a file that is in none of the directories */
export async function requireLogo(logo: string, directories: readonly string[]): Promise<void> {
  if (logo === '' || logo.startsWith('https:')) return;
  for (const directory of directories) {
    const found = await stat(join(directory, logo)).catch(() => undefined);
    if (found?.isFile() === true) return;
  }
  throw new ThemeError(`sso.theme.logo: there is no file public/${logo} in sso.theme.directory`);
}

/** The directories of one kind of files, the one that replaces the others first. */
export function themeDirectories(
  kind: 'views' | 'public' | 'locales',
  override: string,
): readonly string[] {
  const own = join(import.meta.dirname, kind);
  return override === '' ? [own] : [join(override, kind), own];
}
