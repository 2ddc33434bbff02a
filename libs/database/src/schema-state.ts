// What the database records of its schema, compared with the migrations of this program.
import type { DataSource } from 'typeorm';
import { codeOf, DatabaseError, productVersion } from '@tessera/runtime';
import { fourDigits, type Migration, numberOf } from './migrations/migration.js';

/** A data source, or one session of it. */
interface Session {
  query(text: string): Promise<unknown>;
}

/** SQLSTATE undefined_table. */
const NO_TABLE = '42P01';

/** The columns of 0024 are read as JSON, because an older schema does not have them. */
const QUERY = `select "timestamp"::integer as number, name,
    (fields->>'compatible_from')::integer as "compatibleFrom", fields->>'version' as version
  from schema_migration, to_jsonb(schema_migration) as fields
  order by "timestamp"`;

export interface RecordedMigration {
  readonly number: number;
  readonly name: string;
  /** As of {@link Migration}; null where it was not recorded, before 0024. */
  readonly compatibleFrom: number | null;
  /** Of the program that ran it; null before 0024. */
  readonly version: string | null;
}

export interface SchemaState {
  /** Oldest first; none in an empty database. */
  readonly recorded: readonly RecordedMigration[];
  /** The migrations of this program that are not recorded, oldest first. */
  readonly pending: readonly Migration[];
  /** The number of the newest migration of this program. */
  readonly newestKnown: number;
  /** The oldest program that works on the schema, as the number of its newest migration. */
  readonly compatibleFrom: number;
}

/** @param session default: one of the pool. @throws errors of the driver */
export async function readSchema(
  dataSource: DataSource,
  session: Session = dataSource,
): Promise<SchemaState> {
  const recorded = await readRecorded(session);
  const names = new Set(recorded.map(({ name }) => name));
  const known = (dataSource.migrations as Migration[]).toSorted(
    (one, other) => numberOf(one) - numberOf(other),
  );
  return {
    recorded,
    pending: known.filter(({ name }) => !names.has(name)),
    newestKnown: Math.max(0, ...known.map(numberOf)),
    compatibleFrom: Math.max(0, ...recorded.map((each) => each.compatibleFrom ?? each.number)),
  };
}

/** @returns why this program is too old for the schema; undefined if it may use it, also where the schema is newer */
export function tooOldReason({
  recorded,
  newestKnown,
  compatibleFrom,
}: SchemaState): string | undefined {
  if (newestKnown >= compatibleFrom) return undefined;
  const version = recorded.find((each) => each.number >= compatibleFrom)?.version;
  const example = version ? `, such as version ${version}` : '';
  return (
    `The database needs a program with migration ${fourDigits(compatibleFrom)}${example}. ` +
    `This is version ${productVersion()}, with migration ${fourDigits(newestKnown)}.`
  );
}

/** @throws DatabaseError DATABASE_NEWER when this program is older than the schema allows */
export function requireCompatible(state: SchemaState): void {
  const reason = tooOldReason(state);
  if (reason !== undefined) throw new DatabaseError('DATABASE_NEWER', reason);
}

async function readRecorded(session: Session): Promise<readonly RecordedMigration[]> {
  try {
    return (await session.query(QUERY)) as RecordedMigration[];
  } catch (error) {
    if (codeOf(error) === NO_TABLE) return [];
    throw error;
  }
}
