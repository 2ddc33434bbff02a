// Reads accounts from LDIF entries of persons, as directories export them. What the fields may hold
// is checked elsewhere.
import { AccountError } from './account-error.js';
import { holdsPassword, NOT_FOR_SERVICES } from './account-rules.js';
import type { ImportEntry, ImportFault, ReadFile } from './import-entry.js';
import { readLdifRecords, type LdifAttribute, type LdifRecord } from './ldif-records.js';

export interface LdifOptions {
  /** The attribute whose value is the user name. Default `uid`. */
  readonly nameAttribute?: string;
  /** The attributes to keep, under these spellings. Default: those of a person, such as `cn` and `mail`. */
  readonly attributes?: readonly string[];
}

/** What is kept of a person unless it is said otherwise: nothing that serves to log in. */
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
const LOCKS: ReadonlyArray<readonly [attribute: string, locked: RegExp]> = [
  ['nsaccountlock', /^true$/i],
  ['logindisabled', /^true$/i],
  ['pwdaccountlockedtime', /./],
];
const DAY_MS = 86_400_000;

/**
 * Entries that are no persons are `skipped`, each with its line.
 *
 * @throws AccountError ACCOUNT_IMPORT_UNREADABLE where the text holds no entries but changes;
 *   ACCOUNT_INVALID for an attribute to keep that holds passwords
 */
export function readLdif(text: string, options: LdifOptions = {}): ReadFile {
  const { nameAttribute = 'uid', attributes = PERSON_ATTRIBUTES } = options;
  const secret = attributes.find(holdsPassword);
  if (secret !== undefined) {
    throw new AccountError('ACCOUNT_INVALID', `${secret} ${NOT_FOR_SERVICES}`);
  }
  const { records, faults } = readLdifRecords(text);
  const found = records.map((record) => new DirectoryEntry(record));
  const { persons = [], others = [] } = Object.groupBy(found, (entry) =>
    isPerson(entry, nameAttribute) ? 'persons' : 'others',
  );
  const accounts = persons.map((entry) => accountOf(entry, nameAttribute, attributes));
  return {
    entries: accounts.filter((_, index) => persons[index]?.faults.length === 0),
    faults: [...faults, ...persons.flatMap((entry) => entry.faults)],
    skipped: others.map(({ position }) => ({ position, problem: 'is not a person' })),
  };
}

/** One record by the names of its attributes, in any case. Collects what is wrong with what was read. */
class DirectoryEntry {
  readonly position: string;
  readonly faults: ImportFault[] = [];
  private readonly attributes: ReadonlyMap<string, readonly LdifAttribute[]>;

  constructor(record: LdifRecord) {
    this.position = `line ${record.line}`;
    this.attributes = Map.groupBy(record.attributes, ({ name }) => name.toLowerCase());
  }

  /** `undefined` where the entry has no such attribute. */
  values(attribute: string): readonly string[] | undefined {
    const found = this.attributes.get(attribute.toLowerCase());
    return found?.flatMap(({ line, value }) => {
      if (value === undefined) {
        const problem = 'is not UTF-8 text';
        this.faults.push({ position: `line ${line}`, field: attribute, problem });
      }
      return value ?? [];
    });
  }

  /** The value of an attribute that must not have more than one. */
  value(attribute: string): string | undefined {
    const [value, ...others] = this.values(attribute) ?? [];
    if (others.length > 0) {
      this.fault(attribute, `has ${others.length + 1} values, where an account has one`);
    }
    return value;
  }

  fault(field: string, problem: string): void {
    this.faults.push({ position: this.position, field, problem });
  }
}

/** Exports of chosen attributes alone may lack the classes. */
function isPerson(entry: DirectoryEntry, nameAttribute: string): boolean {
  const classes = entry.values('objectClass')?.map((name) => name.toLowerCase());
  if (classes === undefined) {
    return entry.values(nameAttribute) !== undefined;
  }
  return classes.some((name) => PERSON_CLASSES.has(name)) && !classes.includes(MACHINE_CLASS);
}

function accountOf(
  entry: DirectoryEntry,
  nameAttribute: string,
  attributes: readonly string[],
): ImportEntry {
  const name = entry.value(nameAttribute);
  if (name === undefined) {
    entry.fault('name', `is missing: there is no ${nameAttribute} (see --name-attribute)`);
  }
  const isLocked = LOCKS.some(([lock, locked]) =>
    entry.values(lock)?.some((one) => locked.test(one)),
  );
  return {
    position: entry.position,
    name,
    ...passwordOf(entry.value('userPassword')),
    disabled: isLocked ? true : undefined,
    expires: expiryOf(entry),
    attributes: Object.fromEntries(
      attributes.flatMap((attribute) => {
        const values = entry.values(attribute);
        return values ? [[attribute, values]] : [];
      }),
    ),
  };
}

/** A value without the name of a scheme is the password itself. @see RFC 4519 §2.41, RFC 2307 §5.3 */
function passwordOf(value: string | undefined): Pick<ImportEntry, 'password' | 'passwordHash'> {
  if (value === undefined || value === '') {
    return {};
  }
  const plain = value.replace(CLEARTEXT, '');
  return plain !== value || !SCHEME.test(value) ? { password: plain } : { passwordHash: value };
}

/** Days since 1970, as shadow(5) has it; a negative number means never. */
function expiryOf(entry: DirectoryEntry): string | null | undefined {
  const days = entry.value('shadowExpire');
  if (days === undefined) {
    return undefined;
  }
  if (/^\d{1,6}$/.test(days)) {
    return new Date(Number(days) * DAY_MS).toISOString().slice(0, 'yyyy-mm-dd'.length);
  }
  if (!/^-\d{1,6}$/.test(days)) {
    entry.fault('shadowExpire', 'must be a number of days since 1970');
  }
  return null;
}
