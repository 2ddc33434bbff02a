// Reads the syntax of LDIF: lines into records of attributes. What the attributes mean is for others.
import { AccountError } from './account-error.js';
import type { ImportFault } from './import-entry.js';

/** An attribute as it was written, with its options, such as `cn` or `cn;lang-de`. */
export interface LdifAttribute {
  readonly line: number;
  readonly name: string;
  /** `undefined` where the value is not UTF-8 text, such as a photograph. */
  readonly value: string | undefined;
}

export interface LdifRecord {
  /** Where it begins. */
  readonly line: number;
  /** All but `dn`. */
  readonly attributes: readonly LdifAttribute[];
}

export interface LdifContent {
  readonly records: readonly LdifRecord[];
  /** Each with its line; the record it stands in is left out. */
  readonly faults: readonly ImportFault[];
}

interface Line {
  readonly number: number;
  readonly text: string;
}

const ATTRIBUTE = /^([A-Za-z0-9][\w.-]*(?:;[\w-]+)*):([:<]?) *([^]*)$/;
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

/**
 * The records of an LDIF file of entries (`slapcat`, `ldapsearch`).
 *
 * A value given as a URL is a fault: nothing is read from where a file points to.
 *
 * @throws AccountError ACCOUNT_IMPORT_UNREADABLE for another version than 1 and for records of changes
 * @see RFC 2849
 */
export function readLdifRecords(text: string): LdifContent {
  const records: LdifRecord[] = [];
  const faults: ImportFault[] = [];
  for (const lines of paragraphsOf(withoutVersion(unfolded(text)))) {
    const attributes: LdifAttribute[] = [];
    const faultsBefore = faults.length;
    for (const [index, line] of lines.entries()) {
      const read = readLine(line, index === 0);
      if ('problem' in read) {
        faults.push({ position: `line ${line.number}`, problem: read.problem });
      } else {
        attributes.push(read);
      }
    }
    if (faults.length === faultsBefore) {
      records.push({ line: lines[0]?.number ?? 0, attributes: attributes.slice(1) });
    }
  }
  return { records, faults };
}

/** A line that begins with a space goes on where the one before ended, comments as well. */
function unfolded(text: string): readonly Line[] {
  const folded: Array<{ number: number; parts: string[] }> = [];
  for (const [index, raw] of text.split(/\r?\n/).entries()) {
    const before = folded.at(-1);
    if (raw.startsWith(' ') && before && before.parts[0] !== '') {
      before.parts.push(raw.slice(1));
    } else {
      folded.push({ number: index + 1, parts: [raw] });
    }
  }
  return folded
    .map(({ number, parts }) => ({ number, text: parts.join('') }))
    .filter((line) => !line.text.startsWith('#'));
}

function withoutVersion(lines: readonly Line[]): readonly Line[] {
  const index = lines.findIndex(({ text }) => text !== '');
  const version = /^version: *([^]*)$/i.exec(lines[index]?.text ?? '')?.[1];
  if (version === undefined) {
    return lines;
  }
  if (version !== '1') {
    throw unreadable('is LDIF of another version than 1');
  }
  return lines.slice(index + 1);
}

function paragraphsOf(lines: readonly Line[]): ReadonlyArray<readonly Line[]> {
  const paragraphs: Line[][] = [[]];
  for (const line of lines) {
    if (line.text === '') {
      paragraphs.push([]);
    } else {
      paragraphs.at(-1)?.push(line);
    }
  }
  return paragraphs.filter((paragraph) => paragraph.length > 0);
}

/** Two entries without an empty line between them would make one of two people. */
function readLine(
  { number, text }: Line,
  isFirst: boolean,
): LdifAttribute | { readonly problem: string } {
  const [, name, mark, value = ''] = ATTRIBUTE.exec(text) ?? [];
  if (name === undefined) {
    return { problem: 'is not an attribute, a colon and a value' };
  }
  if (/^(?:changetype|control)$/i.test(name)) {
    throw unreadable(`holds changes (line ${number}), where entries are needed`);
  }
  if (isFirst !== (name.toLowerCase() === 'dn')) {
    return { problem: isFirst ? 'is no dn, with which an entry begins' : 'is a second dn' };
  }
  if (mark === '<') {
    return { problem: 'names a URL, and nothing is read from there: put in the value itself' };
  }
  if (mark === '') {
    return { line: number, name, value };
  }
  return BASE64.test(value) && value.length % 4 === 0
    ? { line: number, name, value: utf8(Buffer.from(value, 'base64')) }
    : { problem: 'has two colons, but what follows is not Base64' };
}

function utf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function unreadable(problem: string): AccountError {
  return new AccountError('ACCOUNT_IMPORT_UNREADABLE', `the file ${problem}`);
}
