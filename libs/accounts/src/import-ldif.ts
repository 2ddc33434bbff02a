// Reads accounts from the persons in an LDIF export of a directory.
import { AccountError } from './account-error.js';
import { DirectoryEntry } from './directory-entry.js';
import { type DirectoryLock, lockOf } from './directory-locks.js';
import { holdsPassword, NOT_FOR_SERVICES } from './account-rules.js';
import type { ImportEntry, ImportViolation, ParsedFile } from './import-entry.js';
import { readLdifRecords } from './ldif-records.js';

export interface LdifOptions {
  /** The attribute with the user name. Default `uid`. */
  readonly nameAttribute?: string;
  /** The attributes to import, in this spelling. Default: those of a person, such as `cn` and `mail`. */
  readonly attributes?: readonly string[];
}

/** The default attributes, without credentials. */
const PERSON_ATTRIBUTES: readonly string[] = [
  'cn',
  'sn',
  'givenName',
  'displayName',
  'mail',
  'telephoneNumber',
  'mobile',
  'title',
  'o',
  'ou',
  'departmentNumber',
  'employeeNumber',
  'employeeType',
  'preferredLanguage',
  'memberOf',
];

const PERSON_CLASSES = new Set([
  'person',
  'organizationalperson',
  'inetorgperson',
  'account',
  'posixaccount',
  'user',
]);
const MACHINE_CLASS = 'computer';

const SCHEME = /^(?:\{[^{}]+\}|\$)/;
const CLEARTEXT = /^\{CLEARTEXT\}/i;
/** Servers and tools put these in front of a hash to lock its account. */
const LOCKING_PREFIX = /^[!*]+(?=\{[\w-]+\}|\$\w+\$)/;
/** The whole value of a locked account, as in /etc/shadow. */
const LOCKING_MARK = /^[!*]+(?:(?:LK|NP|LOCKED)[!*]*)?$/i;

/**
 * Entries that are not persons are `skipped`.
 *
 * @throws AccountError ACCOUNT_IMPORT_UNREADABLE for change records; ACCOUNT_INVALID for an attribute in the
 *   options that holds passwords
 */
export function readLdif(
  text: string,
  options: LdifOptions = {},
  now: Date = new Date(),
): ParsedFile {
  const { nameAttribute = 'uid', attributes = PERSON_ATTRIBUTES } = options;
  const secret = attributes.find(holdsPassword);
  if (secret !== undefined) {
    throw new AccountError('ACCOUNT_INVALID', `${secret} ${NOT_FOR_SERVICES}`);
  }
  const { records, violations } = readLdifRecords(text);
  const found = records.map((record) => new DirectoryEntry(record));
  const { persons = [], others = [] } = Object.groupBy(found, (entry) =>
    isPerson(entry, nameAttribute) ? 'persons' : 'others',
  );
  const notes = new LockNotes(attributes);
  const accounts = persons.map((entry) => {
    const lock = lockOf(entry, now);
    notes.add(entry, lock);
    return accountOf(entry, lock, { nameAttribute, attributes });
  });
  return {
    entries: accounts.filter((_, index) => persons[index]?.violations.length === 0),
    violations: [...violations, ...persons.flatMap((entry) => entry.violations)],
    skipped: others.map(({ position }) => ({ position, reason: 'is not a person' })),
    notes: notes.lines(),
  };
}

/** One line for each attribute that locks accounts, and for each that may and is not read. */
class LockNotes {
  readonly #found = new Map<string, { first: ImportViolation; count: number }>();

  /** @param imported the attributes that become attributes of the account */
  constructor(private readonly imported: readonly string[]) {}

  add({ position }: DirectoryEntry, { lockedBy, unread }: DirectoryLock): void {
    for (const field of lockedBy) this.#note({ position, field, reason: 'disables the account' });
    for (const field of unread) {
      if (this.imported.some((each) => each.toLowerCase() === field.toLowerCase())) continue;
      this.#note({ position, field, reason: 'suggests a lock or an expiry, and is not read' });
    }
  }

  lines(): readonly ImportViolation[] {
    return [...this.#found.values()].map(({ first, count }) =>
      count === 1 ? first : { ...first, reason: `${first.reason} (${count} entries)` },
    );
  }

  #note(first: ImportViolation): void {
    const known = this.#found.get(`${first.field?.toLowerCase()}`);
    if (known) known.count += 1;
    else this.#found.set(`${first.field?.toLowerCase()}`, { first, count: 1 });
  }
}

/** An export of selected attributes may lack `objectClass`. */
function isPerson(entry: DirectoryEntry, nameAttribute: string): boolean {
  const classes = entry.values('objectClass')?.map((name) => name.toLowerCase());
  if (classes === undefined) {
    return entry.values(nameAttribute) !== undefined;
  }
  return classes.some((name) => PERSON_CLASSES.has(name)) && !classes.includes(MACHINE_CLASS);
}

function accountOf(
  entry: DirectoryEntry,
  { lockedBy, expires }: DirectoryLock,
  { nameAttribute, attributes }: Required<LdifOptions>,
): ImportEntry {
  const name = entry.value(nameAttribute);
  if (name === undefined) {
    entry.addViolation('name', `is missing: there is no ${nameAttribute} (see --name-attribute)`);
  }
  const written = entry.value('userPassword');
  const password = written?.replace(LOCKING_PREFIX, '');
  const isLocked = lockedBy.length > 0 || password !== written;
  return {
    position: entry.position,
    name,
    ...passwordOf(password),
    disabled: isLocked ? true : undefined,
    expires,
    attributes: Object.fromEntries(
      attributes.flatMap((attribute) => {
        const values = entry.values(attribute);
        return values ? [[attribute, values]] : [];
      }),
    ),
  };
}

/** A value without a scheme is the password in clear text, unless it is a mark. @see RFC 4519 §2.41, RFC 2307 §5.3 */
function passwordOf(value: string | undefined): Pick<ImportEntry, 'password' | 'passwordHash'> {
  if (value === undefined || value === '') {
    return {};
  }
  const plain = value.replace(CLEARTEXT, '');
  if (plain !== value) return { password: plain };
  const isHash = SCHEME.test(value) || LOCKING_MARK.test(value);
  return isHash ? { passwordHash: value } : { password: value };
}
