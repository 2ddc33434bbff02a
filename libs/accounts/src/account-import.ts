// Imports many accounts at once: reads, checks all, hashes, writes. All of the file or nothing.
import type { PasswordHashing } from '@tessera/crypto';
import type { AccountStore } from './account-store.js';
import { checkEntry, type ImportFault, type ImportRow, type ReadFile } from './import-entry.js';
import { readImportFile, type ImportFormat } from './import-file.js';
import type { LdifOptions } from './import-ldif.js';

export interface ImportOptions {
  readonly format: ImportFormat;
  /** For the format `ldif`. */
  readonly ldif?: LdifOptions;
  /** Change accounts that exist; without it an existing name is a fault. */
  readonly update?: boolean;
  /** Import the entries without fault, and leave the others out. */
  readonly skipFaulty?: boolean;
  /** Check everything and write nothing. */
  readonly dryRun?: boolean;
}

export interface ImportReport {
  /** How many accounts were added and updated; under `dryRun`, would have been. */
  readonly added: number;
  readonly updated: number;
  /** In the order of the file. Any fault without `skipFaulty`: nothing was written. */
  readonly faults: readonly ImportFault[];
  /** What the file holds that is no account, and was passed over; that is no fault. */
  readonly skipped: readonly ImportFault[];
}

/** A row with what it means for the table. */
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
   * @throws AccountError ACCOUNT_IMPORT_UNREADABLE where the bytes are not the format at all;
   *   ACCOUNT_INVALID where the options ask for what no account may have; ACCOUNT_EXISTS or
   *   ACCOUNT_NOT_FOUND where another writer was faster (nothing is written then)
   */
  async run(file: Uint8Array, options: ImportOptions): Promise<ImportReport> {
    const read = readImportFile(file, options.format, options.ldif);
    const { skipped = [] } = read;
    const checked = this.check(read);
    const { planned, faults } = await this.plan(checked, options.update ?? false);
    const refused = faults.length > 0 && !options.skipFaulty;
    if (refused) {
      return { added: 0, updated: 0, faults, skipped };
    }
    if (!options.dryRun) {
      await this.write(planned);
    }
    const updated = planned.filter(({ exists }) => exists).length;
    return { added: planned.length - updated, updated, faults, skipped };
  }

  private check(read: ReadFile): { rows: readonly ImportRow[]; faults: readonly ImportFault[] } {
    const rows: ImportRow[] = [];
    const faults = [...read.faults];
    const positions = new Map<string, string>();
    for (const entry of read.entries) {
      const checked = checkEntry(entry, (hash) => this.hashing.understands(hash));
      if (!('name' in checked)) {
        faults.push(...checked);
        continue;
      }
      const { name, position } = checked;
      const first = positions.get(name);
      if (first === undefined) {
        positions.set(name, position);
        rows.push(checked);
      } else {
        faults.push({ position, field: 'name', problem: `is the name of ${first} too` });
      }
    }
    return { rows, faults };
  }

  private async plan(
    { rows, faults }: { rows: readonly ImportRow[]; faults: readonly ImportFault[] },
    update: boolean,
  ): Promise<{ planned: readonly Planned[]; faults: readonly ImportFault[] }> {
    const existing = await this.store.existing(rows.map(({ name }) => name));
    const planned: Planned[] = [];
    const found = [...faults];
    for (const row of rows) {
      const exists = existing.has(row.name);
      const hasPassword = row.password !== undefined || row.passwordHash !== undefined;
      if (exists && !update) {
        found.push({ position: row.position, field: 'name', problem: 'has an account already' });
      } else if (!exists && !hasPassword) {
        found.push({ position: row.position, field: 'password', problem: NO_PASSWORD });
      } else {
        planned.push({ row, exists });
      }
    }
    return { planned, faults: found.toSorted(byPosition) };
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

  /** No more at once than the hashing takes, so that its queue stays free for others. */
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

function byPosition(a: ImportFault, b: ImportFault): number {
  return numberIn(a.position) - numberIn(b.position);
}

function numberIn(position: string): number {
  return Number(position.replaceAll(/\D/g, ''));
}
