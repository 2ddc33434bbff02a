// Owns what the scripts for bash and zsh have in common: the language of `case`.
import type { Place, Value } from './completion-places.js';

/** In single quotes. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** A branch of `case`; nothing where it has no patterns. */
export function branch(patterns: readonly string[], body: string): string {
  return patterns.length === 0 ? '' : `    ${patterns.map(quoted).join(' | ')}) ${body} ;;\n`;
}

/** What stands between a command and its value: `tessera encrypt --kind`. */
interface OptionWithValue {
  readonly pattern: string;
  readonly value: Value;
}

export function optionsWithValues(places: readonly Place[]): readonly OptionWithValue[] {
  return places.flatMap(({ path, options }) =>
    options.flatMap(({ word, value }) => (value ? [{ pattern: `${path} ${word}`, value }] : [])),
  );
}

/** Branches for values, by what completes them. */
export function valueBranches(
  values: readonly { readonly pattern: string; readonly value: Value }[],
  bodies: { readonly words: (words: readonly string[]) => string; file: string; unknown: string },
): string {
  const patternsOf = (value: Value): string[] =>
    values.filter((each) => each.value === value).map(({ pattern }) => pattern);
  const choices = values.map(({ pattern, value }) =>
    typeof value === 'object' ? branch([pattern], bodies.words(value.words)) : '',
  );
  return (
    choices.join('') +
    branch(patternsOf('file'), bodies.file) +
    branch(patternsOf('unknown'), bodies.unknown)
  );
}
