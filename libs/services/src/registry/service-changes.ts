// Hears from PostgreSQL that services have changed, on a connection of its own that it opens again
// whenever it is lost. What changed is not said: listeners read again.
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { DataSource } from 'typeorm';
import { poolOf } from '@tessera/database';
import { loggerFor } from '@tessera/logging';

const log = loggerFor('services');

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5_000;

export class ServiceChanges {
  private readonly stopping = new AbortController();
  private listening: Promise<void> = Promise.resolve();

  /**
   * @param onChange called after each change, and after each connection: what happened before it,
   * nobody has told
   */
  constructor(
    private readonly dataSource: DataSource,
    private readonly onChange: () => void,
  ) {}

  start(): void {
    this.listening = this.listen();
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.listening;
  }

  private async listen(): Promise<void> {
    let pause = FIRST_PAUSE_MS;
    while (!this.stopping.signal.aborted) {
      try {
        await this.listenOnce(() => {
          pause = FIRST_PAUSE_MS;
        });
      } catch (error) {
        log.warn({ error }, 'cannot hear of changed services for now, and will poll');
      }
      // Nodes that lost the same database do not come back to it in step.
      await this.pauseFor(pause * (0.5 + Math.random() / 2));
      pause = Math.min(2 * pause, LONGEST_PAUSE_MS);
    }
  }

  /** Listens until the connection ends; fails if it ends by itself. */
  private async listenOnce(onConnected: () => void): Promise<void> {
    const client = new pg.Client(poolOf(this.dataSource).options);
    const { promise: ended, resolve: end, reject: fail } = Promise.withResolvers<undefined>();
    // Also taken when nobody waits any more.
    ended.catch(() => {});
    client.on('error', fail);
    client.on('end', () => fail(new Error('the connection has ended')));
    client.on('notification', this.onChange);
    const stop = (): void => end(undefined);
    this.stopping.signal.addEventListener('abort', stop);
    try {
      await client.connect();
      await client.query('listen registered_service');
      onConnected();
      this.onChange();
      if (!this.stopping.signal.aborted) await ended;
    } finally {
      this.stopping.signal.removeEventListener('abort', stop);
      // Not waited for: a database that hangs never says goodbye.
      client.end().catch(() => {});
    }
  }

  private async pauseFor(milliseconds: number): Promise<void> {
    const { signal } = this.stopping;
    await sleep(milliseconds, undefined, { signal, ref: false }).catch(() => {});
  }
}
