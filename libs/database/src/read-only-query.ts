// A query of another database, with one parameter: read-only, and bounded in time, connections and rows.
import pg, { type CustomTypesConfig } from 'pg';
import {
  codeOf,
  DatabaseError,
  isUnavailable,
  toDatabaseError,
  urlViolation,
} from '@tessera/runtime';
import { refusedError, withoutQuotes } from './connection-errors.js';
import { StatementTimeout } from './statement-timeout.js';

const MAX_ROWS = 1_000;
const MAX_CHARACTERS = 2_097_152;
/** The server ends a statement whose connection we have cut. */
const SERVER_GRACE_MS = 500;
const IDLE_MS = 60_000;

export interface ReadOnlyQueryOptions {
  /** Of one host, which may be a standby. It names the files of TLS, as that of the application's own database. */
  readonly url: string;
  /** One `select`, with the parameter `$1`. */
  readonly query: string;
  /** Shown in `pg_stat_activity`. */
  readonly applicationName: string;
  readonly poolSize: number;
  /** Milliseconds to get a connection, and again for the answer. */
  readonly timeout: number;
}

/** Each cell has its values: none for null, those of an array of texts, numbers or UUIDs, or one. */
export interface QueryResult {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly (readonly string[])[])[];
}

export class ReadOnlyQuery {
  private constructor(
    private readonly pool: pg.Pool,
    private readonly text: string,
  ) {}

  /** Connects at the first run. @throws DatabaseError DATABASE_REFUSED for a URL that names an unreadable file */
  static async open(options: ReadOnlyQueryOptions): Promise<ReadOnlyQuery> {
    const { url, query, applicationName, poolSize, timeout } = options;
    const violation = await urlViolation(url);
    if (violation !== undefined) throw refusedError(`the database URL ${violation}`);
    const { watch } = new StatementTimeout(timeout);
    const pool = new pg.Pool({
      connectionString: url,
      application_name: applicationName,
      max: poolSize,
      connectionTimeoutMillis: timeout,
      idleTimeoutMillis: IDLE_MS,
      statement_timeout: timeout + SERVER_GRACE_MS,
      keepAlive: true,
      types: TYPES,
      async onConnect(client) {
        watch(client);
        // Not as an option of the connection: the URL may have others.
        await client.query('set session characteristics as transaction read only');
      },
    });
    // An idle connection that is lost is replaced at the next run.
    pool.on('error', () => {});
    // As a subquery it can change nothing, and its rows are limited by the server.
    const inner = query.replace(/[;\s]+$/, '');
    return new ReadOnlyQuery(pool, `select * from (${inner}\n) as found limit ${MAX_ROWS + 1}`);
  }

  /**
   * Runs the query with its parameter. Values are in PostgreSQL's text format, truth values `true` and `false`.
   *
   * @throws DatabaseError DATABASE_UNAVAILABLE; DATABASE_REFUSED for every other reason, with PostgreSQL's as the cause
   */
  async run(parameter: string): Promise<QueryResult> {
    const { fields, rows } = await this.pool
      .query<unknown[]>({ text: this.text, values: [parameter], rowMode: 'array' })
      .catch((error: unknown) => {
        throw isUnavailable(error) ? toDatabaseError(error) : refusalOf(error);
      });
    if (rows.length > MAX_ROWS) throw refusedError(`the query finds more than ${MAX_ROWS} rows`);
    const cells = rows.map((row) => row.map(valuesOf));
    const size = cells.flat(2).reduce((sum, { length }) => sum + length, 0);
    if (size > MAX_CHARACTERS) throw refusedError('the query finds more than 2 MiB of text');
    return { columns: fields.map(({ name }) => name), rows: cells };
  }

  async close(): Promise<void> {
    await this.pool.end();
  }
}

const BOOLEAN = 16;
/** Arrays of texts, names, numbers and UUIDs. */
const ARRAYS: ReadonlySet<number> = new Set([1003, 1005, 1007, 1009, 1015, 1016, 2951]);
const TEXT_ARRAY = 1009;

/** The driver's types do not name arrays. */
interface Parsers {
  getTypeParser(oid: number): (text: string) => unknown;
}

const TYPES: CustomTypesConfig = {
  getTypeParser(oid: number) {
    if (ARRAYS.has(oid)) return (pg.types as Parsers).getTypeParser(TEXT_ARRAY);
    if (oid === BOOLEAN) return (text: string) => String(text === 't');
    return (text: string) => text;
  },
};

function valuesOf(cell: unknown): readonly string[] {
  const values: readonly unknown[] = Array.isArray(cell) ? cell.flat(Infinity) : [cell];
  return values.filter((value) => typeof value === 'string');
}

/** What PostgreSQL says of the query is for the log. Other messages may quote the URL. */
function refusalOf(error: unknown): unknown {
  const code = codeOf(error);
  if (!/^(?!28)[0-9A-Z]{5}$/.test(code)) return withoutQuotes(error);
  const message = `The database refuses the query (SQLSTATE ${code}).`;
  return new DatabaseError('DATABASE_REFUSED', message, error);
}
