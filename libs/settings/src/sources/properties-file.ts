// Owns the reading of `.properties` text: keys with the lines they stand on.
import { parseLines, type Pair } from 'dot-properties';
import type { Problem } from '../problem.js';
import type { RawEntry } from '../raw-value.js';
import type { ParsedFile } from './parsed-file.js';

/** An escape such as `\u12`, or a Windows path that looks like one. */
const BROKEN_ESCAPE = /(?<!\\)(?:\\\\)*\\u(?![0-9a-fA-F]{4})/;

/** @param name the file as people know it, for origins */
export function parsePropertiesFile(text: string, name: string): ParsedFile {
  const entries: RawEntry[] = [];
  const problems: Problem[] = [];
  for (const line of parseLines(text, true)) {
    if (line.type !== 'PAIR') continue;
    const { key, value, range } = line as Required<Pair>;
    const origin = `${name}:${lineAt(text, range[0])}`;
    if (BROKEN_ESCAPE.test(text.slice(range[0], range[3]))) {
      problems.push({ message: 'a \\u needs four hexadecimal digits (write \\\\ for \\)', origin });
    } else {
      entries.push({ key, value: { content: value, origin } });
    }
  }
  return { entries, problems };
}

function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split(/\r\n|\r|\n/).length;
}
