// Checks the tables at the start: the rights of the role, and that those of service tickets are unlogged.
import type { DataSource } from 'typeorm';
import { refusedError } from './connection-errors.js';
import { poolOf } from './connection.js';

/** The right that a role must have on tables. */
export interface TableRights {
  /** `own`: truncate and alter them, as their owner or as a member of the role that owns them. */
  readonly right: 'own' | 'read';
  readonly tables: readonly string[];
}

interface Found {
  readonly isReadOnly: boolean;
  readonly mayUseTables: boolean;
}

/** Looks at the first schema of the search_path alone: in another one, the tables would be others. */
const QUERY = `select current_setting('transaction_read_only') = 'on' as "isReadOnly",
    count(*) filter (where case when $2 = 'own' then pg_has_role(relowner, 'usage')
      else has_table_privilege(pg_class.oid, 'select') end) = cardinality($1::text[]) as "mayUseTables"
  from pg_class join pg_namespace on pg_namespace.oid = relnamespace
  where nspname = current_schema() and relname = any ($1::text[])`;

/** @throws DatabaseError DATABASE_REFUSED with what the role lacks; errors of the driver */
export async function requireTableRights(
  dataSource: DataSource,
  { right, tables }: TableRights,
): Promise<void> {
  const { rows } = await poolOf(dataSource).query<Found>(QUERY, [tables, right]);
  const lack = rows[0] && lackOf(rows[0], right);
  if (lack !== undefined) throw refusedError(lack);
}

/**
 * Durable tables of service tickets would bring spent tickets back, after a crash or on a standby that takes over. Some
 * PostgreSQL services make unlogged tables durable.
 *
 * @throws DatabaseError DATABASE_REFUSED with the names of the tables; errors of the driver
 */
export async function requireUnloggedTickets(dataSource: DataSource): Promise<void> {
  const { rows } = await poolOf(dataSource).query<{ readonly name: string }>(
    `select relname as name from pg_class join pg_namespace on pg_namespace.oid = relnamespace
     where nspname = current_schema() and relname like 'service\\_ticket\\__' and relkind = 'r' and relpersistence <> 'u' order by relname`,
  );
  if (rows.length === 0) return;
  const names = rows.map(({ name }) => name).join(', ');
  throw refusedError(
    `the tables ${names} are not unlogged, so spent tickets could come back: use a PostgreSQL that has unlogged tables, ` +
      'and set them by "alter table … set unlogged"',
  );
}

function lackOf({ isReadOnly, mayUseTables }: Found, right: TableRights['right']) {
  if (right === 'own' && isReadOnly) {
    return 'the database user may only read: its transactions are read-only';
  }
  if (mayUseTables) return undefined;
  return right === 'read'
    ? 'the database user may not read the tables'
    : 'the database user may not use the tables: it must own them, or be a member of the role that does';
}
