// Tables of the verdicts of java.util.regex on texts.
import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { foldCase, servicePattern } from '../src/matching/service-pattern.js';

const JAVA = fileURLToPath(new URL('JavaPatterns.java', import.meta.url));

/** Pattern by pattern, the verdicts on the texts, four in a hexadecimal digit. */
export type JavaTable = Readonly<Record<string, string>>;

export async function readTable(file: string): Promise<JavaTable> {
  return JSON.parse(await readFile(pathOf(file), 'utf8')) as JavaTable;
}

/** Asks Java, and writes its verdicts to a file in this folder. */
export async function updateTable(
  file: string,
  patterns: readonly string[],
  texts: readonly string[],
): Promise<void> {
  const table = await askJava(patterns, texts);
  await writeFile(pathOf(file), `${JSON.stringify(table, undefined, 2)}\n`);
}

function pathOf(file: string): string {
  return fileURLToPath(new URL(file, import.meta.url));
}

/** Ours, in the same form. */
export function verdictsOf(pattern: string, texts: readonly string[]): string {
  const compiled = servicePattern(pattern);
  const verdicts = texts.map((text) => Number(compiled.matches(text, foldCase(text))));
  const digits = verdicts.join('').match(/.{1,4}/g) ?? [];
  return digits.map((each) => Number.parseInt(each.padEnd(4, '0'), 2).toString(16)).join('');
}

async function askJava(patterns: readonly string[], texts: readonly string[]): Promise<JavaTable> {
  const input = [...texts.map((text) => `U ${text}`), ...patterns.map((each) => `P ${each}`)];
  const asking = promisify(execFile)('java', ['-Dfile.encoding=UTF-8', JAVA]);
  asking.child.stdin?.end(input.join('\n'));
  const verdicts = (await asking).stdout.trim().split('\n');
  return Object.fromEntries(patterns.map((pattern, at) => [pattern, verdicts[at] ?? '']));
}
