// One entry of a directory in an LDIF file, and the violations of the attributes that are read.
import type { ImportViolation } from './import-entry.js';
import type { LdifAttribute, LdifRecord } from './ldif-records.js';

/** A record with case-insensitive attribute names. Collects the violations of the attributes that are read. */
export class DirectoryEntry {
  readonly position: string;
  readonly violations: ImportViolation[] = [];
  readonly #attributes: ReadonlyMap<string, readonly LdifAttribute[]>;
  readonly #withOptions: ReadonlyMap<string, readonly LdifAttribute[]>;

  constructor(record: LdifRecord) {
    this.position = `line ${record.line}`;
    this.#attributes = Map.groupBy(record.attributes, ({ name }) => name.toLowerCase());
    this.#withOptions = Map.groupBy(record.attributes, ({ name }) => withoutOptions(name));
  }

  /** The names of all attributes, in lower case and without options, with the first spelling of each. */
  names(): ReadonlyMap<string, string> {
    return new Map(
      [...this.#withOptions].map(([name, [first]]) => [name, first?.name.split(';')[0] ?? name]),
    );
  }

  /** `undefined` for an absent attribute. */
  values(attribute: string): readonly string[] | undefined {
    const found = this.#attributes.get(attribute.toLowerCase());
    return found && this.#textsOf(attribute, found);
  }

  /** The values of an attribute whatever its options: `nsAccountLock;vucsn-…` of a replica is its lock. */
  valuesWithOptions(attribute: string): readonly string[] {
    const found = this.#withOptions.get(attribute.toLowerCase());
    return found ? this.#textsOf(attribute, found) : [];
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

  #textsOf(attribute: string, found: readonly LdifAttribute[]): readonly string[] {
    return found.flatMap(({ line, value }) => {
      if (value === undefined) {
        const reason = 'is not UTF-8 text';
        this.violations.push({ position: `line ${line}`, field: attribute, reason });
      }
      return value ?? [];
    });
  }
}

function withoutOptions(name: string): string {
  return name.toLowerCase().replace(/;.*$/, '');
}
