// The template engine of the pages: Liquid, which escapes every value. @see https://liquidjs.com
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Liquid } from 'liquidjs';
import { ThemeError } from './theme-error.js';
import type { Translations } from './translations.js';

/** The end of the names of template files. */
export const TEMPLATE_EXTENSION = 'liquid';

type NamedValue = readonly [name: string, value: unknown];

/** @param directories of templates; files in earlier ones replace those of the same name in later ones */
export function pageTemplates(
  directories: readonly string[],
  translations: Translations,
): ReturnType<Liquid['express']> {
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
  return liquid.express();
}

/** @throws ThemeError where the directory that settings name is none */
export async function requireThemeDirectory(override: string): Promise<void> {
  if (override === '') return;
  const found = await stat(override).catch(() => undefined);
  if (found?.isDirectory() === true) return;
  throw new ThemeError(`sso.theme.directory: ${override} is no directory`);
}

/** The directories of one kind of files, the one that replaces the others first. */
export function themeDirectories(
  kind: 'views' | 'public' | 'locales',
  override: string,
): readonly string[] {
  const own = join(import.meta.dirname, kind);
  return override === '' ? [own] : [join(override, kind), own];
}
