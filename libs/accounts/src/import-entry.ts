// One account of an import file in any format, and its validation.
import { EXPIRY_RULE, parseExpiry } from '@tessera/runtime';
import { accountName, attributesViolation, NAME_RULE } from './account-rules.js';
import { unusableHash } from './unusable-hash.js';
import type { AccountAttributes } from './user-account.entity.js';

/** One account in a file, not yet checked. Absent fields are `undefined`. */
export interface ImportEntry {
  /** The start of the entry for messages: `line 3` or `item 2`. */
  readonly position: string;
  readonly name?: unknown;
  readonly password?: unknown;
  readonly passwordHash?: unknown;
  readonly disabled?: unknown;
  readonly expires?: unknown;
  readonly attributes?: unknown;
}

/** A valid entry: a new account, or a change of one. */
export interface ImportRow {
  readonly position: string;
  readonly name: string;
  readonly password: string | undefined;
  readonly passwordHash: string | undefined;
  readonly disabled: boolean | undefined;
  readonly expiresAt: Date | null | undefined;
  readonly attributes: AccountAttributes | undefined;
}

/** A violation in a file. The reason never quotes a password or a hash. */
export interface ImportViolation {
  readonly position: string;
  /** The invalid field; absent where the whole line or item is invalid. */
  readonly field?: string;
  readonly reason: string;
}

export interface ParsedFile {
  readonly entries: readonly ImportEntry[];
  readonly violations: readonly ImportViolation[];
  /** Entries that are not accounts, such as groups of a directory. */
  readonly skipped?: readonly ImportViolation[];
  /** What an operator should know of valid entries. */
  readonly notes?: readonly ImportViolation[];
}

/** The result of one field: a value, `undefined` for an absent field, or the reason of a violation. */
type Reading<T> = { readonly value: T | undefined } | { readonly reason: string };

/** Checks one entry and reports all of its violations. */
export function checkEntry(
  entry: ImportEntry,
  isUsableHash: (hash: string) => boolean,
): ImportRow | readonly ImportViolation[] {
  const { position } = entry;
  const violations: ImportViolation[] = [];
  const take = <T>(field: string, reading: Reading<T>): T | undefined => {
    if ('reason' in reading) {
      violations.push({ position, field, reason: reading.reason });
      return undefined;
    }
    return reading.value;
  };
  const name = take('name', readName(entry.name));
  const stated = {
    password: take('password', readPassword(entry)),
    passwordHash: take('passwordHash', readHash(entry.passwordHash, isUsableHash)),
    disabled: take('disabled', readDisabled(entry.disabled)),
    expiresAt: take('expires', readExpiry(entry.expires)),
    attributes: take('attributes', readAttributes(entry.attributes)),
  };
  return name === undefined || violations.length > 0 ? violations : { position, name, ...stated };
}

function readName(name: unknown): Reading<string> {
  const known = typeof name === 'string' ? accountName(name) : undefined;
  return known === undefined ? { reason: `must have ${NAME_RULE}` } : { value: known };
}

function readPassword({ password, passwordHash }: ImportEntry): Reading<string> {
  if (password !== undefined && passwordHash !== undefined) {
    return { reason: 'and passwordHash are both given; give one of the two' };
  }
  if (password === undefined || (typeof password === 'string' && password !== '')) {
    return { value: password };
  }
  return { reason: 'must be a text that is not empty' };
}

function readHash(hash: unknown, isUsable: (hash: string) => boolean): Reading<string> {
  if (hash === undefined || (typeof hash === 'string' && isUsable(hash))) {
    return { value: hash };
  }
  return { reason: typeof hash === 'string' ? unusableHash(hash) : 'must be a text' };
}

function readDisabled(disabled: unknown): Reading<boolean> {
  return disabled === undefined || typeof disabled === 'boolean'
    ? { value: disabled }
    : { reason: 'must be true or false' };
}

function readExpiry(expires: unknown): Reading<Date | null> {
  if (expires === undefined || expires === null) {
    return { value: expires };
  }
  const expiry = typeof expires === 'string' ? parseExpiry(expires) : undefined;
  return expiry === undefined ? { reason: `must be ${EXPIRY_RULE}` } : { value: expiry };
}

function readAttributes(attributes: unknown): Reading<AccountAttributes> {
  if (attributes === undefined) {
    return { value: undefined };
  }
  if (typeof attributes !== 'object' || attributes === null || Array.isArray(attributes)) {
    return { reason: 'must be an object' };
  }
  const lists = new Map<string, readonly string[]>();
  for (const [name, value] of Object.entries(attributes)) {
    const values: readonly unknown[] = Array.isArray(value) ? value : [value];
    if (!values.every((one) => typeof one === 'string')) {
      return { reason: `${name}: must be a text or a list of texts` };
    }
    lists.set(name, values);
  }
  const read = Object.fromEntries(lists);
  const reason = attributesViolation(read);
  return reason === undefined ? { value: read } : { reason };
}
