// Reads accounts from the persons in an LDIF export of a directory.
import { AccountError } from './account-error.js';
import { holdsPassword, NOT_FOR_SERVICES } from './account-rules.js';
import type { ImportEntry, ImportViolation, ParsedFile } from './import-entry.js';
import { readLdifRecords, type LdifAttribute, type LdifRecord } from './ldif-records.js';

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
const LOCKS: ReadonlyArray<readonly [attribute: string, locked: RegExp]> = [
  ['nsaccountlock', /^true$/i],
  ['logindisabled', /^true$/i],
  ['pwdaccountlockedtime', /./],
];
const DAY_MS = 86_400_000;

/**
 * Entries that are not persons are `skipped`.
 *
 * @throws AccountError ACCOUNT_IMPORT_UNREADABLE for change records; ACCOUNT_INVALID for an attribute in the
 *   options that holds passwords
 */
export function readLdif(text: string, options: LdifOptions = {}): ParsedFile {
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
  const accounts = persons.map((entry) => accountOf(entry, nameAttribute, attributes));
  return {
    entries: accounts.filter((_, index) => persons[index]?.violations.length === 0),
    violations: [...violations, ...persons.flatMap((entry) => entry.violations)],
    skipped: others.map(({ position }) => ({ position, reason: 'is not a person' })),
  };
}

/** A record with case-insensitive attribute names. Collects the violations of the attributes that are read. */
class DirectoryEntry {
  readonly position: string;
  readonly violations: ImportViolation[] = [];
  private readonly attributes: ReadonlyMap<string, readonly LdifAttribute[]>;

  constructor(record: LdifRecord) {
    this.position = `line ${record.line}`;
    this.attributes = Map.groupBy(record.attributes, ({ name }) => name.toLowerCase());
  }

  /** `undefined` for an absent attribute. */
  values(attribute: string): readonly string[] | undefined {
    const found = this.attributes.get(attribute.toLowerCase());
    return found?.flatMap(({ line, value }) => {
      if (value === undefined) {
        const reason = 'is not UTF-8 text';
        this.violations.push({ position: `line ${line}`, field: attribute, reason });
      }
      return value ?? [];
    });
  }

  /** The value of a single-valued attribute. */
  value(attribute: string): string | undefined {
    const [value, ...others] = this.values(attribute) ?? [];
    if (others.length > 0) {
      this.addViolation(attribute, `has ${others.length + 1} values, where an account has one`);
    }
    return value;
  }

  addViolation(field: string, reason: string): void {
    this.violations.push({ position: this.position, field, reason });
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
  nameAttribute: string,
  attributes: readonly string[],
): ImportEntry {
  const name = entry.value(nameAttribute);
  if (name === undefined) {
    entry.addViolation('name', `is missing: there is no ${nameAttribute} (see --name-attribute)`);
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

/** A value without a scheme is the password in clear text. @see RFC 4519 §2.41, RFC 2307 §5.3 */
function passwordOf(value: string | undefined): Pick<ImportEntry, 'password' | 'passwordHash'> {
  if (value === undefined || value === '') {
    return {};
  }
  const plain = value.replace(CLEARTEXT, '');
  return plain !== value || !SCHEME.test(value) ? { password: plain } : { passwordHash: value };
}

/** Days since 1970, as in shadow(5); a negative number means never. */
function expiryOf(entry: DirectoryEntry): string | null | undefined {
  const days = entry.value('shadowExpire');
  if (days === undefined) {
    return undefined;
  }
  if (/^\d{1,6}$/.test(days)) {
    return new Date(Number(days) * DAY_MS).toISOString().slice(0, 'yyyy-mm-dd'.length);
  }
  if (!/^-\d{1,6}$/.test(days)) {
    entry.addViolation('shadowExpire', 'must be a number of days since 1970');
  }
  return null;
}
