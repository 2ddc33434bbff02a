// The database of `tessera start`: the embedded PostgreSQL, from the first request of an application until all have ended.
import type { DatabaseError, EmbeddedDatabaseAnswer } from '@tessera/runtime';

interface OpenedPostgres {
  readonly url: string;
  stop(): Promise<void>;
}

export class StartDatabase {
  private opened: Promise<OpenedPostgres> | undefined;

  /** Starts PostgreSQL unless it runs. After a failure, the next request tries again. */
  async answer(): Promise<EmbeddedDatabaseAnswer> {
    this.opened ??= open();
    try {
      return { url: (await this.opened).url };
    } catch (error) {
      this.opened = undefined;
      const { code, message } = error as DatabaseError;
      return { code, message };
    }
  }

  async stop(): Promise<void> {
    const postgres = await this.opened?.catch(() => undefined);
    await postgres?.stop();
  }
}

async function open(): Promise<OpenedPostgres> {
  const { openPostgresHere } = await import('./embedded-postgres.js');
  return openPostgresHere({
    report: (message) => {
      process.stderr.write(`${message}\n`);
    },
  });
}
