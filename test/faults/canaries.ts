// Secrets that are recognised wherever they turn up: whole or in part, as they are or encoded.
import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { treeOf } from '../support/process-table.js';

/** A text is recognised by two pieces of this length near its end, so that one cut short is too. */
const PIECE_LENGTH = 10;
/** The end of a ticket, which may be shown. */
const VISIBLE_END = 4;

interface Pattern {
  readonly name: string;
  readonly form: string;
  readonly needle: string;
}

export class Canaries {
  private readonly patterns: Pattern[] = [];

  /** A new secret; all its characters may stand anywhere. */
  make(name: string): string {
    return this.watch(
      name,
      `CANARY-${name}-${randomBytes(PIECE_LENGTH + VISIBLE_END).toString('hex')}`,
    );
  }

  /** Takes what somebody else made for a secret. */
  watch(name: string, text: string): string {
    const end = text.length - VISIBLE_END;
    for (const piece of [
      text.slice(end - 2 * PIECE_LENGTH, end - PIECE_LENGTH),
      text.slice(end - PIECE_LENGTH, end),
    ]) {
      for (const [form, needles] of Object.entries(encodingsOf(piece))) {
        this.patterns.push(...needles.map((needle) => ({ name, form, needle: normalise(needle) })));
      }
    }
    return text;
  }

  /** Which are in a text, and how: `vault-token (base64)`. */
  foundIn(text: string): readonly string[] {
    const searched = normalise(text);
    const found = this.patterns.filter(({ needle }) => searched.includes(needle));
    return [...new Set(found.map(({ name, form }) => `${name} (${form})`))].toSorted();
  }
}

function encodingsOf(piece: string): Readonly<Record<string, readonly string[]>> {
  const bytes = Buffer.from(piece);
  const each = (prefix: string, digits: number): string =>
    [...bytes].map((byte) => prefix + byte.toString(16).padStart(digits, '0')).join('');
  return {
    plain: [piece],
    hex: [bytes.toString('hex')],
    base64: [0, 1, 2].map((before) => base64Within(bytes, before)),
    url: [each('%', 2)],
    json: [each(String.raw`\u`, 4)],
  };
}

/** What is sure to be in the Base64 of a longer text, `before` bytes of which share a group with the first. */
function base64Within(bytes: Buffer, before: number): string {
  const text = Buffer.concat([Buffer.alloc(before), bytes])
    .toString('base64')
    .replace(/=+$/, '');
  const isWhole = (before + bytes.length) % 3 === 0;
  return text.slice(Math.ceil((before * 4) / 3), isWhole ? undefined : -1);
}

/** Case is no matter, nor which Base64 it is. */
function normalise(text: string): string {
  return text.toLowerCase().replaceAll('+', '-').replaceAll('/', '_');
}

/** What everybody on the machine sees of a process and of those below it. */
export function commandLines(pid: number): string {
  return treeOf(pid).map(commandLine).join('\n');
}

function commandLine(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}

/** Names and contents of the files in a folder and below, but for folders of that name. */
export function filesIn(folder: string, except: string): string {
  const found = readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return entry.name === except ? [] : [path, filesIn(path, except)];
    return entry.isFile() ? [path, readFileSync(path, 'latin1')] : [path];
  });
  return found.join('\n');
}
