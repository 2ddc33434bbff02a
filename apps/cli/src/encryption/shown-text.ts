// Owns how plaintexts are shown: as they are, but for a terminal, which would do what the characters in them tell it.
import { printable, printableJson } from '../printable-text.js';
import type { Terminal } from '../terminal.js';

/** Its lines stay lines. */
export function shownText(text: string, { stdout }: Terminal): string {
  return stdout.isTTY ? text.split('\n').map(printable).join('\n') : text;
}

export function shownJson(value: object, { stdout }: Terminal): string {
  const json = JSON.stringify(value);
  return stdout.isTTY ? printableJson(json) : json;
}
