// Lays out lists and single things for people, in lines that are safe for a terminal.
import { escapeForTerminal } from './terminal-escape.js';

/** Columns of equal width, below their titles. */
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

/** A line for each value, behind the name of its field. */
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
