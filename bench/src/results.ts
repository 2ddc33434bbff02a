// The output of a part as JSON: the tables that it prints, and its other lines.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

export interface PartResult {
  readonly part: string;
  /** Day of the run, in UTC. */
  readonly measured: string;
  readonly node: string;
  readonly cores: number;
  readonly tables: readonly Table[];
  readonly notes: readonly string[];
}

interface Table {
  readonly columns: readonly string[];
  readonly rows: (readonly (string | number)[])[];
}

/** @param lines as printed, in Markdown */
export function resultOf(part: string, lines: readonly string[], cores: number): PartResult {
  const tables: Table[] = [];
  const notes: string[] = [];
  let isInTable = false;
  for (const line of lines.flatMap((each) => each.split('\n'))) {
    const wasInTable = isInTable;
    isInTable = line.startsWith('|');
    if (!isInTable) notes.push(...(line === '' ? [] : [line]));
    else if (!wasInTable) tables.push({ columns: cellsOf(line).map(String), rows: [] });
    else if (!/^\|[-|]+$/.test(line)) tables.at(-1)?.rows.push(cellsOf(line));
  }
  const measured = new Date().toISOString().slice(0, 10);
  return { part, measured, node: process.version, cores, tables, notes };
}

/** Writes the result to `<directory>/<part>.json`, if there is a directory. */
export async function writeResult(
  directory: string | undefined,
  result: PartResult,
): Promise<void> {
  if (directory === undefined) return;
  await mkdir(directory, { recursive: true });
  await writeFile(join(directory, `${result.part}.json`), `${JSON.stringify(result, null, 2)}\n`);
}

function cellsOf(row: string): readonly (string | number)[] {
  const cells = row.split('|').slice(1, -1);
  return cells.map((cell) => {
    const text = cell.trim();
    return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text;
  });
}
