// Parses LDIF into records of attributes.
import { AccountError } from './account-error.js';
import type { ImportViolation } from './import-entry.js';

export interface LdifAttribute {
  readonly line: number;
  /** As written, with options: `cn` or `cn;lang-de`. */
  readonly name: string;
  /** `undefined` where the value is not UTF-8 text, such as a photo. */
  readonly value: string | undefined;
}

export interface LdifRecord {
  /** The first line. */
  readonly line: number;
  /** All but `dn`. */
  readonly attributes: readonly LdifAttribute[];
}

export interface LdifContent {
  readonly records: readonly LdifRecord[];
  /** Each with its line. Their records are left out. */
  readonly violations: readonly ImportViolation[];
}

interface LdifLine {
  readonly number: number;
  readonly text: string;
}

const ATTRIBUTE = /^([A-Za-z0-9][\w.-]*(?:;[\w-]+)*):([:<]?) *([^]*)$/;
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

/**
 * The records of an LDIF file of entries (`slapcat`, `ldapsearch`).
 *
 * A value given as a URL is a violation: URLs are never fetched.
 *
 * @throws AccountError ACCOUNT_IMPORT_UNREADABLE for another version than 1 and for change records
 * @see RFC 2849
 */
export function readLdifRecords(text: string): LdifContent {
  const records: LdifRecord[] = [];
  const violations: ImportViolation[] = [];
  const paragraphs = paragraphsOf(withoutVersion(unfolded(text)));
  for (const lines of paragraphs.filter((each) => !isSummary(each))) {
    const attributes: LdifAttribute[] = [];
    const violationsBefore = violations.length;
    for (const [index, line] of lines.entries()) {
      const read = readLine(line, index === 0);
      if ('reason' in read) {
        violations.push({ position: `line ${line.number}`, reason: read.reason });
      } else {
        attributes.push(read);
      }
    }
    if (violations.length === violationsBefore) {
      records.push({ line: lines[0]?.number ?? 0, attributes: attributes.slice(1) });
    }
  }
  return { records, violations };
}

/** Joins continuation lines, which start with a space, also those of comments. */
function unfolded(text: string): readonly LdifLine[] {
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

function withoutVersion(lines: readonly LdifLine[]): readonly LdifLine[] {
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

function paragraphsOf(lines: readonly LdifLine[]): ReadonlyArray<readonly LdifLine[]> {
  const paragraphs: LdifLine[][] = [[]];
  for (const line of lines) {
    if (line.text === '') {
      paragraphs.push([]);
    } else {
      paragraphs.at(-1)?.push(line);
    }
  }
  return paragraphs.filter((paragraph) => paragraph.length > 0);
}

/** What `ldapsearch` without `-L` prints behind the entries of a complete answer. */
function isSummary([first, second]: readonly LdifLine[]): boolean {
  return /^search: \d+$/.test(first?.text ?? '') && second?.text === 'result: 0 Success';
}

/** Rejects a second `dn`, because entries without an empty line between them would merge two people. */
function readLine(
  { number, text }: LdifLine,
  isFirst: boolean,
): LdifAttribute | { readonly reason: string } {
  const [, name, mark, value = ''] = ATTRIBUTE.exec(text) ?? [];
  if (name === undefined) {
    return { reason: 'is not an attribute, a colon and a value' };
  }
  if (/^(?:changetype|control)$/i.test(name)) {
    throw unreadable(`holds changes (line ${number}), where entries are needed`);
  }
  if (isFirst !== (name.toLowerCase() === 'dn')) {
    return { reason: isFirst ? 'is not a dn, with which entries start' : 'is a second dn' };
  }
  if (mark === '<') {
    return { reason: 'names a URL, which is not fetched: write the value itself' };
  }
  if (mark === '') {
    return { line: number, name, value };
  }
  return BASE64.test(value) && value.length % 4 === 0
    ? { line: number, name, value: utf8(Buffer.from(value, 'base64')) }
    : { reason: 'has two colons, but what follows is not Base64' };
}

function utf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function unreadable(reason: string): AccountError {
  return new AccountError('ACCOUNT_IMPORT_UNREADABLE', `the file ${reason}`);
}
