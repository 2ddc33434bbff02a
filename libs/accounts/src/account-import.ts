// Imports a file of accounts in one transaction, after all entries are checked and hashed.
import type { PasswordHashing } from '@tessera/crypto';
import type { AccountStore } from './account-store.js';
import {
  checkEntry,
  type ImportViolation,
  type ImportRow,
  type ParsedFile,
} from './import-entry.js';
import { readImportFile, type ImportFormat } from './import-file.js';
import type { LdifOptions } from './import-ldif.js';

export interface ImportOptions {
  readonly format: ImportFormat;
  /** For the format `ldif`. */
  readonly ldif?: LdifOptions;
  /** Change existing accounts; without it an existing name is a violation. */
  readonly update?: boolean;
  /** Import the valid entries and skip the others. */
  readonly skipFaulty?: boolean;
  /** Check everything and write nothing. */
  readonly dryRun?: boolean;
}

export interface ImportReport {
  /** The accounts added and updated, or with `dryRun` those that would be. */
  readonly added: number;
  readonly updated: number;
  /** In the order of the file. With any violation, nothing is written unless `skipFaulty` is set. */
  readonly violations: readonly ImportViolation[];
  /** Valid entries that are not accounts, such as groups. */
  readonly skipped: readonly ImportViolation[];
  /** What an operator should know of valid entries, such as locks of a directory. */
  readonly notes: readonly ImportViolation[];
}

interface Planned {
  readonly row: ImportRow;
  readonly exists: boolean;
}

/** Imports files of accounts into `store`; passwords in them are hashed by `hashing`. */
export class AccountImport {
  constructor(
    private readonly store: AccountStore,
    private readonly hashing: PasswordHashing,
  ) {}

  /**
   * Imports one file, given as its bytes.
   *
   * @throws AccountError ACCOUNT_IMPORT_UNREADABLE for bytes that are not in the format; ACCOUNT_INVALID for
   *   options with an attribute that accounts cannot have; ACCOUNT_EXISTS or ACCOUNT_NOT_FOUND after a
   *   concurrent change (nothing is written)
   */
  async run(file: Uint8Array, options: ImportOptions): Promise<ImportReport> {
    const read = readImportFile(file, options.format, options.ldif);
    const { skipped = [], notes = [] } = read;
    const checked = this.check(read);
    const { planned, violations } = await this.plan(checked, options.update ?? false);
    const refused = violations.length > 0 && !options.skipFaulty;
    if (refused) {
      return { added: 0, updated: 0, violations, skipped, notes };
    }
    if (!options.dryRun) {
      await this.write(planned);
    }
    const updated = planned.filter(({ exists }) => exists).length;
    return { added: planned.length - updated, updated, violations, skipped, notes };
  }

  private check(read: ParsedFile): {
    rows: readonly ImportRow[];
    violations: readonly ImportViolation[];
  } {
    const rows: ImportRow[] = [];
    const violations = [...read.violations];
    const positions = new Map<string, string>();
    for (const entry of read.entries) {
      const checked = checkEntry(entry, (hash) => this.hashing.supports(hash));
      if (!('name' in checked)) {
        violations.push(...checked);
        continue;
      }
      const { name, position } = checked;
      const first = positions.get(name);
      if (first === undefined) {
        positions.set(name, position);
        rows.push(checked);
      } else {
        violations.push({ position, field: 'name', reason: `is also the name of ${first}` });
      }
    }
    return { rows, violations };
  }

  private async plan(
    { rows, violations }: { rows: readonly ImportRow[]; violations: readonly ImportViolation[] },
    update: boolean,
  ): Promise<{ planned: readonly Planned[]; violations: readonly ImportViolation[] }> {
    const existing = await this.store.existing(rows.map(({ name }) => name));
    const planned: Planned[] = [];
    const found = [...violations];
    for (const row of rows) {
      const exists = existing.has(row.name);
      const hasPassword = row.password !== undefined || row.passwordHash !== undefined;
      if (exists && !update) {
        found.push({ position: row.position, field: 'name', reason: 'already has an account' });
      } else if (!exists && !hasPassword) {
        found.push({ position: row.position, field: 'password', reason: NO_PASSWORD });
      } else {
        planned.push({ row, exists });
      }
    }
    return { planned, violations: found.toSorted(byPosition) };
  }

  private async write(planned: readonly Planned[]): Promise<void> {
    const hashes = await this.hash(planned.map(({ row }) => row));
    await this.store.transaction(async (store) => {
      for (const { row, exists } of planned) {
        const { name, disabled, expiresAt, attributes } = row;
        const passwordHash = hashes.get(name);
        if (exists) {
          await store.change(name, { passwordHash, disabled, expiresAt, attributes });
        } else if (passwordHash !== undefined) {
          await store.add({ name, passwordHash, disabled, expiresAt, attributes });
        }
      }
    });
  }

  /** Runs only as many hashes as run at once, so that the queue stays free for logins. */
  private async hash(rows: readonly ImportRow[]): Promise<ReadonlyMap<string, string>> {
    const hashes = new Map<string, string>();
    const queue = rows.values();
    const work = async (): Promise<void> => {
      for (const { name, password, passwordHash } of queue) {
        const hash = password === undefined ? passwordHash : await this.hashing.hash(password);
        if (hash !== undefined) {
          hashes.set(name, hash);
        }
      }
    };
    await Promise.all(Array.from({ length: this.hashing.maxRunning }, work));
    return hashes;
  }
}

const NO_PASSWORD = 'is missing: a new account needs a password or a passwordHash';

function byPosition(a: ImportViolation, b: ImportViolation): number {
  return lineNumberIn(a.position) - lineNumberIn(b.position);
}

function lineNumberIn(position: string): number {
  return Number(position.replaceAll(/\D/g, ''));
}
