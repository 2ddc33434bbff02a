// Prepared statements for the hot path, at the least cost the driver allows.
import type { Pool, Submittable } from 'pg';

/** A row of columns in PostgreSQL's text format; SQL's null is null. */
export type TextRow = readonly (string | null)[];

/**
 * A prepared statement whose caller knows the columns. The driver's own queries have PostgreSQL describe the columns at
 * each execution and look up a converter for each: measured, a third of the cost.
 */
export class PreparedStatement {
  /** @param name unique for its text in the program: connections keep prepared statements by name */
  constructor(
    private readonly name: string,
    private readonly text: string,
  ) {}

  /**
   * Runs the statement on a connection of the pool, which prepares it the first time.
   *
   * @param parameters in PostgreSQL's text format
   * @throws DatabaseError of the driver, as its own queries do
   */
  execute(pool: Pool, parameters: readonly string[]): Promise<readonly TextRow[]> {
    // The types of `query` know streams alone as Submittable; for this one the pool returns a promise of the rows.
    const execution: unknown = pool.query(new Execution(this.name, this.text, parameters));
    return execution as Promise<readonly TextRow[]>;
  }
}

/** The part of the driver's connection that a Submittable uses. */
interface DriverConnection {
  readonly stream: { cork(): void; uncork(): void };
  /** Texts of the prepared statements, by name. */
  readonly parsedStatements: Readonly<Record<string, string | undefined>>;
  parse(statement: { readonly name: string; readonly text: string }): void;
  bind(portal: { readonly statement: string; readonly values: readonly string[] }): void;
  execute(): void;
  sync(): void;
}

/**
 * One execution, as the driver's Submittable. The driver records its name as prepared, sets `callback`, and calls a handler
 * for each message from PostgreSQL.
 *
 * @see PostgreSQL documentation, "Extended Query"
 */
class Execution implements Submittable {
  callback?: (error: unknown, rows?: readonly TextRow[]) => void;
  private readonly rows: TextRow[] = [];

  constructor(
    readonly name: string,
    readonly text: string,
    private readonly parameters: readonly string[],
  ) {}

  /** Sends all messages in one write. The driver passes a returned error to `handleError`; a thrown one ends the process. */
  submit(connection: object): unknown {
    const driver = connection as DriverConnection;
    const known = driver.parsedStatements[this.name];
    if (known !== undefined && known !== this.text) {
      return new Error(`two statements have the name ${this.name}`);
    }
    driver.stream.cork();
    try {
      if (known === undefined) driver.parse(this);
      driver.bind({ statement: this.name, values: this.parameters });
      driver.execute();
      driver.sync();
    } catch (error) {
      return error;
    } finally {
      driver.stream.uncork();
    }
    return undefined;
  }

  handleDataRow(message: { readonly fields: TextRow }): void {
    this.rows.push(message.fields);
  }

  /** The result is complete at ReadyForQuery, not here. */
  handleCommandComplete(): void {}

  handleReadyForQuery(): void {
    this.callback?.(undefined, this.rows);
  }

  handleError(error: unknown): void {
    this.callback?.(error);
  }
}
