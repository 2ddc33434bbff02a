// Reads accounts from a JSON array of objects.
import { AccountError } from './account-error.js';
import type { ImportEntry, ImportViolation, ParsedFile } from './import-entry.js';

const FIELDS = ['name', 'password', 'passwordHash', 'disabled', 'expires', 'attributes'];

/** @throws AccountError ACCOUNT_IMPORT_UNREADABLE for text that is not a JSON array */
export function readJson(text: string): ParsedFile {
  const items = parse(text);
  const entries: ImportEntry[] = [];
  const violations: ImportViolation[] = [];
  for (const [index, item] of items.entries()) {
    const position = `item ${index + 1}`;
    if (typeof item !== 'object' || item === null || Array.isArray(item)) {
      violations.push({ position, reason: 'is not an object' });
      continue;
    }
    const unknown = Object.keys(item).filter((key) => !FIELDS.includes(key));
    const known = unknown.length === 0;
    entries.push(...(known ? [{ ...item, position }] : []));
    violations.push(...unknown.map((field) => ({ position, field, reason: UNKNOWN_FIELD })));
  }
  return { entries, violations };
}

const UNKNOWN_FIELD = 'is not a field of an account; attributes stand inside "attributes"';

function parse(text: string): readonly unknown[] {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text.replace(/^\ufeff/, ''));
  } catch (error) {
    // The parser's message quotes the text around the error, which may be a password. So it is not kept as
    // a cause either.
    const line = /line \d+ column \d+/.exec(String(error))?.[0];
    throw unreadable(`not valid JSON${line === undefined ? '' : ` at ${line}`}`);
  }
  if (!Array.isArray(parsed)) {
    throw unreadable('not a JSON array of accounts');
  }
  return parsed;
}

function unreadable(reason: string): AccountError {
  return new AccountError('ACCOUNT_IMPORT_UNREADABLE', `the file is ${reason}`);
}
