// Reads accounts from JSON: an array of objects. What the fields may hold is checked elsewhere.
import { AccountError } from './account-error.js';
import type { ImportEntry, ImportFault, ReadFile } from './import-entry.js';

const FIELDS = ['name', 'password', 'passwordHash', 'disabled', 'expires', 'attributes'];

/** @throws AccountError ACCOUNT_IMPORT_UNREADABLE where the text is no JSON array */
export function readJson(text: string): ReadFile {
  const items = parse(text);
  const entries: ImportEntry[] = [];
  const faults: ImportFault[] = [];
  for (const [index, item] of items.entries()) {
    const position = `item ${index + 1}`;
    if (typeof item !== 'object' || item === null || Array.isArray(item)) {
      faults.push({ position, problem: 'is not an object' });
      continue;
    }
    const unknown = Object.keys(item).filter((key) => !FIELDS.includes(key));
    const known = unknown.length === 0;
    entries.push(...(known ? [{ ...item, position }] : []));
    faults.push(...unknown.map((field) => ({ position, field, problem: UNKNOWN_FIELD })));
  }
  return { entries, faults };
}

const UNKNOWN_FIELD = 'is not a field of an account; attributes stand inside "attributes"';

function parse(text: string): readonly unknown[] {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text.replace(/^\ufeff/, ''));
  } catch (error) {
    // The parser's own message quotes the text around the fault, which may be a password. So the
    // message is not kept as a cause either.
    const line = /line \d+ column \d+/.exec(String(error))?.[0];
    throw unreadable(`not valid JSON${line === undefined ? '' : ` at ${line}`}`);
  }
  if (!Array.isArray(parsed)) {
    throw unreadable('not a JSON array of accounts');
  }
  return parsed;
}

function unreadable(problem: string): AccountError {
  return new AccountError('ACCOUNT_IMPORT_UNREADABLE', `the file is ${problem}`);
}
