// `tessera schema status`: what this version would change in the database, and which nodes may go on serving during the upgrade.
import {
  fourDigits,
  type Migration,
  numberOf,
  readSchema,
  type SchemaState,
  tooOldReason,
} from '@tessera/database';
import { productVersion } from '@tessera/runtime';
import { CliError } from '../cli-error.js';
import { withDatabase, type CommandContext } from '../database.js';
import { columns, fieldLines, indentedJson, writeLine } from '../terminal.js';

const MUST_STOP = 3;
const TOO_OLD = 4;

/** What has to be done for this version to serve. */
export type Upgrade = 'none' | 'empty' | 'rolling' | 'stop' | 'too old';

const MEANINGS: Readonly<Record<Upgrade, string>> = {
  none: 'none: nothing is pending',
  empty: 'none: the database is empty, and the first start makes its schema',
  rolling: 'rolling: upgrade node by node',
  stop: 'stop: stop all nodes, then start this version',
  'too old': 'none: this version is too old for the database',
};

/** @throws CliError with exit code 3 where all nodes must be stopped first, 4 where this version is too old */
export async function showSchemaStatus(
  { json = false }: { readonly json?: boolean },
  { openDatabase, terminal }: CommandContext,
): Promise<void> {
  const state = await withDatabase(openDatabase, ({ dataSource }) => readSchema(dataSource));
  writeLine(terminal.stdout, json ? indentedJson(asJson(state)) : asText(state));
  const upgrade = upgradeOf(state);
  if (upgrade === 'stop') {
    throw new CliError('all nodes must be stopped for this upgrade', MUST_STOP);
  }
  if (upgrade === 'too old') throw new CliError(tooOldReason(state) ?? '', TOO_OLD);
}

/** An upgrade is rolling if every pending migration serves the nodes of the version that migrated last. */
export function upgradeOf(state: SchemaState): Upgrade {
  if (tooOldReason(state) !== undefined) return 'too old';
  if (state.recorded.length === 0) return 'empty';
  if (state.pending.length === 0) return 'none';
  const isRolling = state.pending.every(
    (each) => isOnline(each) && oldestServed(each) <= newestRecorded(state),
  );
  return isRolling ? 'rolling' : 'stop';
}

function isOnline({ compatibleFrom, isOffline = false }: Migration): boolean {
  return compatibleFrom !== undefined && !isOffline;
}

function oldestServed(migration: Migration): number {
  return migration.compatibleFrom ?? numberOf(migration);
}

function newestRecorded({ recorded }: SchemaState): number {
  return recorded.at(-1)?.number ?? 0;
}

/** The oldest program that may serve during and after the upgrade, as the number of its newest migration. */
function oldestProgram({ compatibleFrom, pending }: SchemaState): number {
  return Math.max(compatibleFrom, ...pending.map(oldestServed));
}

function asJson(state: SchemaState): object {
  return {
    version: productVersion(),
    newestMigration: state.newestKnown,
    upgrade: upgradeOf(state),
    oldestProgram: oldestProgram(state),
    recorded: state.recorded,
    pending: state.pending.map((each) => ({
      number: numberOf(each),
      name: each.name,
      online: isOnline(each),
      compatibleFrom: oldestServed(each),
    })),
  };
}

function asText(state: SchemaState): string {
  const { recorded, pending, newestKnown } = state;
  const fields = fieldLines([
    ['program', `version ${productVersion()}, migration ${fourDigits(newestKnown)}`],
    ['database', `migration ${fourDigits(newestRecorded(state))}, ${recorded.length} recorded`],
    ['oldest program', describeProgram(oldestProgram(state), state)],
    ['pending', String(pending.length)],
    ['upgrade', MEANINGS[upgradeOf(state)]],
  ]);
  return pending.length === 0 ? fields : `${fields}\n\n${pendingTable(pending)}`;
}

function pendingTable(pending: readonly Migration[]): string {
  return columns(
    ['PENDING', 'RUNS', 'SERVES PROGRAMS FROM'],
    pending.map((each) => [
      each.name,
      isOnline(each) ? 'online' : 'offline',
      fourDigits(oldestServed(each)),
    ]),
  );
}

/** With the version that ran the migration, where it is recorded: an older one may have it, too. */
function describeProgram(number: number, { recorded }: SchemaState): string {
  const version = recorded.find((each) => each.number === number)?.version;
  return `migration ${fourDigits(number)}${version ? `, such as version ${version}` : ''}`;
}
