// `tessera user import`: imports a file and prints a report.
import { basename } from 'node:path';
import {
  AccountImport,
  AccountStore,
  IMPORT_FORMATS,
  type ImportViolation,
  type ImportFormat,
  type ImportReport,
  type LdifOptions,
} from '@tessera/accounts';
import { PasswordHashing } from '@tessera/crypto';
import { CliError } from '../cli-error.js';
import { changing } from '../audit/changes.js';
import { withDatabase, type CommandContext, type OpenedDatabase } from '../database.js';
import { readInputFile } from '../input.js';
import { escapeForTerminal, writeLine } from '../terminal.js';

export interface ImportCommandOptions {
  readonly format?: string;
  readonly nameAttribute?: string;
  /** Names between commas. */
  readonly attributes?: string;
  readonly update?: boolean;
  readonly skipFaulty?: boolean;
  readonly dryRun?: boolean;
}

/** Imports a file. Invalid and skipped entries go to standard error, one line each. */
export async function importAccounts(
  path: string,
  options: ImportCommandOptions,
  { openDatabase, terminal }: CommandContext,
): Promise<void> {
  const format = formatOf(path, options.format);
  const ldif = ldifOptions(format, options);
  const { update = false, skipFaulty = false, dryRun = false } = options;
  const bytes = await readInputFile(path);
  const report = await withDatabase(openDatabase, async (database) => {
    const { dataSource, settings } = database;
    const accounts = new AccountImport(
      AccountStore.of(dataSource),
      new PasswordHashing(settings.argon2),
    );
    const done = await accounts.run(bytes, { format, ldif, update, skipFaulty, dryRun });
    if (!dryRun && done.added + done.updated > 0) await recordImport(path, done, database);
    return done;
  });
  for (const { position, reason } of report.skipped) {
    writeLine(terminal.stderr, escapeForTerminal(`${position} is passed over: it ${reason}`));
  }
  for (const violation of [...report.notes, ...report.violations]) {
    writeLine(terminal.stderr, escapeForTerminal(describe(violation)));
  }
  if (report.violations.length > 0 && !skipFaulty) {
    throw new CliError(
      `nothing was imported: ${count(report.violations.length, 'fault')} in ${path}`,
    );
  }
  writeLine(terminal.stdout, summary(report, dryRun));
}

/** In a transaction of its own: the hashes of an import may take minutes. */
function recordImport(
  path: string,
  { added, updated }: ImportReport,
  database: OpenedDatabase,
): Promise<void> {
  return changing(database, ({ record }) =>
    record({ action: 'IMPORT_USERS', subject: path, details: { added, updated } }),
  );
}

/** From the option, else from the extension; a file named `htpasswd` has that format, too. */
function formatOf(path: string, given: string | undefined): ImportFormat {
  const text = (given ?? basename(path).split('.').at(-1))?.toLowerCase();
  const format = IMPORT_FORMATS.find((each) => each === text);
  if (format === undefined) {
    const formats = IMPORT_FORMATS.join(', ');
    throw new CliError(`the format of ${path} is unknown: give --format with one of ${formats}`);
  }
  return format;
}

function ldifOptions(
  format: ImportFormat,
  { nameAttribute, attributes }: ImportCommandOptions,
): LdifOptions {
  if (format !== 'ldif' && (nameAttribute ?? attributes) !== undefined) {
    throw new CliError('--name-attribute and --attributes are for LDIF files alone');
  }
  const names = attributes?.split(',').map((name) => name.trim());
  return {
    ...(nameAttribute !== undefined && { nameAttribute }),
    ...(names && { attributes: names.filter((name) => name !== '') }),
  };
}

function describe({ position, field, reason }: ImportViolation): string {
  return field === undefined ? `${position} ${reason}` : `${position}: ${field} ${reason}`;
}

function summary({ added, updated, violations }: ImportReport, dryRun: boolean): string {
  const skipped =
    violations.length === 0 ? '' : `, left out entries with ${count(violations.length, 'fault')}`;
  const done = `${count(added, 'user')} added, ${updated} updated${skipped}`;
  return dryRun ? `dry run, nothing written: ${done}` : done;
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
