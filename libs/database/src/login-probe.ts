// Checks whether a login has the privileges on the tables that the application needs.
import pg, { type Pool, type PoolConfig } from 'pg';

/** The privileges a login must have on tables. */
export interface LoginRequirements {
  /** `own`: truncate and alter them, as their owner or as a member of the role that owns them. */
  readonly right: 'own' | 'read';
  readonly tables: readonly string[];
}

interface ProbeResult {
  readonly schema: string | null;
  readonly isReadOnly: boolean;
  readonly mayUseTables: boolean;
}

/** Looks at the first schema of the search_path alone: in another one, the tables would be others. */
const PROBE = `select current_schema() as schema,
    current_setting('transaction_read_only') = 'on' as "isReadOnly",
    count(*) filter (where case when $2 = 'own' then pg_has_role(relowner, 'usage')
      else has_table_privilege(pg_class.oid, 'select') end) = cardinality($1::text[]) as "mayUseTables"
  from pg_class join pg_namespace on pg_namespace.oid = relnamespace
  where nspname = current_schema() and relname = any ($1::text[])`;

/**
 * Opens one session with the options of a pool and checks its privileges.
 *
 * @param schema the schema of the tables
 * @returns what the login lacks, to follow the name of its setting; undefined where it lacks nothing
 * @throws errors of the driver
 */
export async function probeLogin(
  options: PoolConfig,
  requirements: LoginRequirements,
  schema: string | undefined,
): Promise<string | undefined> {
  const client = new pg.Client(options);
  client.on('error', () => {});
  try {
    await client.connect();
    options.onConnect?.(client);
    const { rows } = await client.query<ProbeResult>(PROBE, [
      requirements.tables,
      requirements.right,
    ]);
    return rows[0] && violationOf(rows[0], requirements, schema);
  } finally {
    client.end().catch(() => {});
  }
}

function violationOf(
  result: ProbeResult,
  { right }: LoginRequirements,
  schema: string | undefined,
): string | undefined {
  if (result.schema !== (schema ?? null)) {
    return 'the user looks for the tables in another schema: it needs the same search_path';
  }
  if (right === 'own' && result.isReadOnly) {
    return 'the user may only read: its transactions are read-only';
  }
  if (result.mayUseTables) return undefined;
  return right === 'read'
    ? 'the user may not read the tables'
    : 'the user may not use the tables: it must own them, or be a member of the role that does';
}

/** The first schema of the search_path that the login may use; undefined where there is none. */
export async function currentSchema(pool: Pool): Promise<string | undefined> {
  const { rows } = await pool.query<{ schema: string | null }>('select current_schema() as schema');
  return rows[0]?.schema ?? undefined;
}
