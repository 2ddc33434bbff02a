// Owns how plaintexts are shown: as they are, but for a terminal, which would do what the characters in them tell it.
import { escapeForTerminal, escapeJsonForTerminal } from '../terminal-escape.js';
import type { Terminal } from '../terminal.js';

/** Its lines stay lines. */
export function plaintextOutput(text: string, { stdout }: Terminal): string {
  return stdout.isTTY ? text.split('\n').map(escapeForTerminal).join('\n') : text;
}

export function plaintextJsonOutput(value: object, { stdout }: Terminal): string {
  const json = JSON.stringify(value);
  return stdout.isTTY ? escapeJsonForTerminal(json) : json;
}
