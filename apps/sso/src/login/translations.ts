// The texts of the pages, in the languages of the files in `locales`.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInstance, type i18n as I18n } from 'i18next';
import { ThemeError } from './theme-error.js';

/** The language of users whose browser prefers none of the others, and of texts that another language lacks. */
const FALLBACK = 'en';
const FILE_NAME = /^([a-z]{2,3}(?:-[A-Za-z0-9]{2,8})*)\.json$/;

export class Translations {
  private constructor(
    private readonly i18n: I18n,
    /** Language tags, the fallback first. */
    readonly locales: readonly string[],
  ) {}

  /**
   * Reads `<language>.json` of all directories; texts of later ones replace those of earlier ones.
   * @throws ThemeError naming a file that is not a map of texts
   */
  static async load(directories: readonly string[]): Promise<Translations> {
    const texts: Record<string, Record<string, string>> = {};
    for (const directory of directories) {
      for (const name of await namesIn(directory)) {
        const locale = FILE_NAME.exec(name)?.[1];
        if (locale === undefined) continue;
        texts[locale] = { ...texts[locale], ...(await readTexts(join(directory, name))) };
      }
    }
    const locales = [
      FALLBACK,
      ...Object.keys(texts)
        .filter((each) => each !== FALLBACK)
        .toSorted(),
    ];
    const i18n = createInstance();
    await i18n.init({
      lng: FALLBACK,
      fallbackLng: FALLBACK,
      resources: Object.fromEntries(
        locales.map((locale) => [locale, { translation: texts[locale] ?? {} }]),
      ),
      keySeparator: false,
      nsSeparator: false,
      // The templates escape.
      interpolation: { escapeValue: false },
    });
    return new Translations(i18n, locales);
  }

  translate(locale: string, key: string, values: Readonly<Record<string, unknown>> = {}): string {
    return this.i18n.t(key, { ...values, lng: locale });
  }
}

/** Of those that languages in use today are written in. */
const RIGHT_TO_LEFT = ['Adlm', 'Arab', 'Hebr', 'Nkoo', 'Rohg', 'Syrc', 'Thaa'];

/** The direction in which a language is written. */
export function directionOf(locale: string): 'ltr' | 'rtl' {
  const { script = '' } = new Intl.Locale(locale).maximize();
  return RIGHT_TO_LEFT.includes(script) ? 'rtl' : 'ltr';
}

async function namesIn(directory: string): Promise<readonly string[]> {
  try {
    return await readdir(directory);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return [];
    throw error;
  }
}

async function readTexts(file: string): Promise<Record<string, string>> {
  const content = parse(await readFile(file, 'utf8'), file);
  const isMap = typeof content === 'object' && content !== null && !Array.isArray(content);
  if (!isMap || Object.values(content).some((each) => typeof each !== 'string')) {
    throw new ThemeError(`${file} must be a JSON object of texts`);
  }
  return content as Record<string, string>;
}

function parse(text: string, file: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new ThemeError(`${file} is not JSON: ${(error as Error).message}`);
  }
}
