// Owns the trial of a login: whether a session under it can do what it is needed for. Which tables there are is the business
// of the migrations.
import pg, { type Pool, type PoolConfig } from 'pg';

/** What a login must be allowed to do with tables. */
export interface LoginNeeds {
  /** `own`: also truncate and alter them, by owning them or as a member of a role that does. */
  readonly right: 'own' | 'read';
  readonly tables: readonly string[];
}

interface Findings {
  readonly schema: string | null;
  readonly isReadOnly: boolean;
  readonly mayUseTables: boolean;
}

/** In the schema that is looked into first: with another one, other tables, or none, are meant. */
const TRIAL = `select current_schema() as schema,
    current_setting('transaction_read_only') = 'on' as "isReadOnly",
    count(*) filter (where case when $2 = 'own' then pg_has_role(relowner, 'usage')
      else has_table_privilege(pg_class.oid, 'select') end) = cardinality($1::text[]) as "mayUseTables"
  from pg_class join pg_namespace on pg_namespace.oid = relnamespace
  where nspname = current_schema() and relname = any ($1::text[])`;

/**
 * Begins one session, as a pool with these options begins them.
 *
 * @param schema where the tables are
 * @returns what it lacks, as it reads on from the name of its setting
 * @throws what the driver throws
 */
export async function probeLogin(
  options: PoolConfig,
  needs: LoginNeeds,
  schema: string | undefined,
): Promise<string | undefined> {
  const client = new pg.Client(options);
  client.on('error', () => {});
  try {
    await client.connect();
    options.onConnect?.(client);
    const { rows } = await client.query<Findings>(TRIAL, [needs.tables, needs.right]);
    return rows[0] && lackOf(rows[0], needs, schema);
  } finally {
    client.end().catch(() => {});
  }
}

function lackOf(
  findings: Findings,
  { right }: LoginNeeds,
  schema: string | undefined,
): string | undefined {
  if (findings.schema !== (schema ?? null)) {
    return 'the user looks for the tables in another schema: it needs the same search_path';
  }
  if (right === 'own' && findings.isReadOnly) {
    return 'the user may only read: its transactions are read-only';
  }
  if (findings.mayUseTables) return undefined;
  return right === 'read'
    ? 'the user may not read the tables'
    : 'the user may not use the tables: it must own them, or be a member of the role that does';
}

/** The schema that is looked into first; none where there is none that may be used. */
export async function currentSchema(pool: Pool): Promise<string | undefined> {
  const { rows } = await pool.query<{ schema: string | null }>('select current_schema() as schema');
  return rows[0]?.schema ?? undefined;
}
