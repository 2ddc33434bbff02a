// The streams of a command, and text that is safe to print on a terminal: escaped, in columns, as JSON.
import type { Readable, Writable } from 'node:stream';

/** The streams of the process, or of a test. */
export interface Terminal {
  /** `isTTY` where a user types. */
  readonly stdin: Readable & { readonly isTTY?: boolean };
  /** `isTTY` where a user reads. */
  readonly stdout: Writable & { readonly isTTY?: boolean };
  readonly stderr: Writable;
}

/** Writes `text` and a line end. */
export function writeLine(stream: Writable, text: string): void {
  stream.write(`${text}\n`);
}

/** Control characters, and characters that reorder or hide the text around them. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu;

/** The text in one line, with unprintable characters as `\u{1b}`. */
export function escapeForTerminal(text: string): string {
  return text.replace(
    UNPRINTABLE,
    (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  );
}

/** Escapes each line and keeps the line ends. */
export function escapeLinesForTerminal(text: string): string {
  return text.split('\n').map(escapeForTerminal).join('\n');
}

/** The same JSON value, with unprintable characters as `\u001b`. Line ends between values stay. */
export function escapeJsonForTerminal(json: string): string {
  return json.replace(UNPRINTABLE, (character) => {
    if (character === '\n') return character;
    const units = Array.from({ length: character.length }, (_, at) => character.charCodeAt(at));
    return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('');
  });
}

/** A value as escaped JSON in several lines. */
export function indentedJson(value: object): string {
  return escapeJsonForTerminal(JSON.stringify(value, undefined, 2));
}

/** Columns of equal width below their titles, with escaped cells. */
export function columns(titles: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [titles, ...rows.map((cells) => cells.map(escapeForTerminal))];
  const widths = titles.map((_, column) =>
    lines.reduce((widest, cells) => Math.max(widest, cells[column]?.length ?? 0), 0),
  );
  return lines
    .map((cells) => cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '))
    .map((line) => line.trimEnd())
    .join('\n');
}

/** One escaped line `name: value` for each value; `none` for an empty list. */
export function fieldLines(
  fields: readonly (readonly [name: string, values: string | readonly string[]])[],
): string {
  return fields
    .flatMap(([name, values]) => linesOf(name, typeof values === 'string' ? [values] : values))
    .join('\n');
}

function linesOf(name: string, values: readonly string[]): readonly string[] {
  const shown = values.length === 0 ? ['none'] : values;
  return shown.map((value) => escapeForTerminal(`${name}: ${value}`).trimEnd());
}
