// Parsers of single values, except durations.
import { Secret } from '../secret.js';
import { InvalidValue, scalarParser, scalarText, type SettingParser } from './setting-parser.js';

/** Text, trimmed; may be empty. */
export const text: SettingParser<string> = scalarParser('text', 'a text', (given) => given);

/** A decimal safe integer. `0x1F`, `1e3` and `007` are invalid. */
export const integer: SettingParser<number> = scalarParser(
  'whole number',
  'a whole number',
  (given) => {
    if (!/^[+-]?(?:0|[1-9]\d*)$/.test(given)) return undefined;
    const number = Number(given);
    return Number.isSafeInteger(number) ? number + 0 : undefined;
  },
);

/** A decimal number without a sign: `0.25`. `.5`, `1.` and `1e-3` are invalid. */
export const decimal: SettingParser<number> = scalarParser('number', 'a decimal number', (given) =>
  /^(?:0|[1-9]\d*)(?:\.\d+)?$/.test(given) ? Number(given) : undefined,
);

/** `true` or `false`, ignoring case. */
export const boolean: SettingParser<boolean> = scalarParser(
  'true or false',
  'true or false',
  (given) => {
    const word = given.toLowerCase();
    if (word === 'true') return true;
    return word === 'false' ? false : undefined;
  },
);

/** A secret text, not trimmed. */
export const secret: SettingParser<Secret> = {
  kind: 'secret',
  secret: true,
  parse(raw) {
    const given = scalarText(raw, 'a text');
    return given instanceof InvalidValue ? given : new Secret(given);
  },
};

/** One of the given words, ignoring case; the value is the word as listed. */
export function oneOf<const W extends string>(...words: readonly W[]): SettingParser<W> {
  const convert = (given: string) =>
    words.find((word) => word.toLowerCase() === given.toLowerCase());
  return { ...scalarParser('word', `one of ${words.join(', ')}`, convert), words };
}

/** A name that is safe in file names and paths: letters, digits, `.`, `_`, `-`. */
export const pathName: SettingParser<string> = scalarParser(
  'name',
  'a name of letters, digits, ".", "_" and "-"',
  (given) => (/^[A-Za-z0-9_-][A-Za-z0-9._-]*$/.test(given) ? given : undefined),
);
