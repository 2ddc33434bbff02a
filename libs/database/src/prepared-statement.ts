// A statement that runs for every request, at the least cost the driver allows. Everything else goes the driver's usual way.
import type { Pool, Submittable } from 'pg';

/** A row as PostgreSQL writes its columns as text; SQL's null is null. */
export type TextRow = readonly (string | null)[];

/**
 * A statement whose caller knows the columns. The driver would have PostgreSQL describe them at each execution, and look up
 * how to convert each: measured, a third of its price.
 */
export class PreparedStatement {
  /** @param name one for each text, among all statements of a program: connections know it by its name */
  constructor(
    private readonly name: string,
    private readonly text: string,
  ) {}

  /**
   * Runs it on a connection of the pool, which prepares it the first time.
   *
   * @param parameters as PostgreSQL reads them in text
   * @throws DatabaseError of the driver, as its own queries do
   */
  execute(pool: Pool, parameters: readonly string[]): Promise<readonly TextRow[]> {
    // The pool answers with what the connection makes of it; its types tell of streams alone, which answer otherwise.
    const execution: unknown = pool.query(new Execution(this.name, this.text, parameters));
    return execution as Promise<readonly TextRow[]>;
  }
}

/** What the driver gives to the one who submits. */
interface Wire {
  readonly stream: { cork(): void; uncork(): void };
  /** By name. */
  readonly parsedStatements: Readonly<Record<string, string | undefined>>;
  parse(statement: { readonly name: string; readonly text: string }): void;
  bind(portal: { readonly statement: string; readonly values: readonly string[] }): void;
  execute(): void;
  sync(): void;
}

/**
 * One execution, in the form in which the driver takes queries that are not its own. It keeps the name of what it has
 * prepared, sets `callback`, and calls a handler for each message from PostgreSQL.
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

  /** Sends all messages in one write. The driver hands what it returns to `handleError`; thrown, it would end the process. */
  submit(connection: object): unknown {
    const wire = connection as Wire;
    const known = wire.parsedStatements[this.name];
    if (known !== undefined && known !== this.text) {
      return new Error(`two statements have the name ${this.name}`);
    }
    wire.stream.cork();
    try {
      if (known === undefined) wire.parse(this);
      wire.bind({ statement: this.name, values: this.parameters });
      wire.execute();
      wire.sync();
    } catch (error) {
      return error;
    } finally {
      wire.stream.uncork();
    }
    return undefined;
  }

  handleDataRow(message: { readonly fields: TextRow }): void {
    this.rows.push(message.fields);
  }

  /** There may be more to come until the server is ready. */
  handleCommandComplete(): void {}

  handleReadyForQuery(): void {
    this.callback?.(undefined, this.rows);
  }

  handleError(error: unknown): void {
    this.callback?.(error);
  }
}
