// One account of an import file, as any format states it, and the check that makes it usable.
import {
  accountName,
  attributesFault,
  EXPIRY_RULE,
  NAME_RULE,
  parseExpiry,
} from './account-rules.js';
import { unusableHash } from './unusable-hash.js';
import type { AccountAttributes } from './user-account.js';

/** What a file says of one account, not yet checked; what it does not mention is `undefined`. */
export interface ImportEntry {
  /** Where it stands, or begins, for people: `line 3` or `item 2`. */
  readonly position: string;
  readonly name?: unknown;
  readonly password?: unknown;
  readonly passwordHash?: unknown;
  readonly disabled?: unknown;
  readonly expires?: unknown;
  readonly attributes?: unknown;
}

/** A checked entry: a new account, or a change of one. */
export interface ImportRow {
  readonly position: string;
  readonly name: string;
  readonly password: string | undefined;
  readonly passwordHash: string | undefined;
  readonly disabled: boolean | undefined;
  readonly expiresAt: Date | null | undefined;
  readonly attributes: AccountAttributes | undefined;
}

/** Something wrong with a file. The problem never quotes a password or a hash. */
export interface ImportFault {
  readonly position: string;
  /** The field at fault; absent where the whole line or item is. */
  readonly field?: string;
  readonly problem: string;
}

/** What a file holds, in any format. */
export interface ReadFile {
  readonly entries: readonly ImportEntry[];
  readonly faults: readonly ImportFault[];
  /** What stands in the file and is no account, such as a group of a directory. */
  readonly skipped?: readonly ImportFault[];
}

/** Reads one field: a value, nothing where the file does not say, or a problem. */
type Reading<T> = { readonly value: T | undefined } | { readonly problem: string };

/** Checks one entry by itself; all of its faults are reported, not the first. */
export function checkEntry(
  entry: ImportEntry,
  isUsableHash: (hash: string) => boolean,
): ImportRow | readonly ImportFault[] {
  const { position } = entry;
  const faults: ImportFault[] = [];
  const take = <T>(field: string, reading: Reading<T>): T | undefined => {
    if ('problem' in reading) {
      faults.push({ position, field, problem: reading.problem });
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
  return name === undefined || faults.length > 0 ? faults : { position, name, ...stated };
}

function readName(name: unknown): Reading<string> {
  const known = typeof name === 'string' ? accountName(name) : undefined;
  return known === undefined ? { problem: `must have ${NAME_RULE}` } : { value: known };
}

function readPassword({ password, passwordHash }: ImportEntry): Reading<string> {
  if (password !== undefined && passwordHash !== undefined) {
    return { problem: 'stands beside a passwordHash; give one of the two' };
  }
  if (password === undefined || (typeof password === 'string' && password !== '')) {
    return { value: password };
  }
  return { problem: 'must be a text that is not empty' };
}

function readHash(hash: unknown, isUsable: (hash: string) => boolean): Reading<string> {
  if (hash === undefined || (typeof hash === 'string' && isUsable(hash))) {
    return { value: hash };
  }
  return { problem: typeof hash === 'string' ? unusableHash(hash) : 'must be a text' };
}

function readDisabled(disabled: unknown): Reading<boolean> {
  return disabled === undefined || typeof disabled === 'boolean'
    ? { value: disabled }
    : { problem: 'must be true or false' };
}

function readExpiry(expires: unknown): Reading<Date | null> {
  if (expires === undefined || expires === null) {
    return { value: expires };
  }
  const expiry = typeof expires === 'string' ? parseExpiry(expires) : undefined;
  return expiry === undefined ? { problem: `must be ${EXPIRY_RULE}` } : { value: expiry };
}

function readAttributes(attributes: unknown): Reading<AccountAttributes> {
  if (attributes === undefined) {
    return { value: undefined };
  }
  if (typeof attributes !== 'object' || attributes === null || Array.isArray(attributes)) {
    return { problem: 'must be an object' };
  }
  const lists = new Map<string, readonly string[]>();
  for (const [name, value] of Object.entries(attributes)) {
    const values: readonly unknown[] = Array.isArray(value) ? value : [value];
    if (!values.every((one) => typeof one === 'string')) {
      return { problem: `${name}: must be a text or a list of texts` };
    }
    lists.set(name, values);
  }
  const read = Object.fromEntries(lists);
  const problem = attributesFault(read);
  return problem === undefined ? { value: read } : { problem };
}
