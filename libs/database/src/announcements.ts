// Owns what processes on one database tell each other: that something is new, never what. They hear of it on a connection
// beside the pool, which is opened again whenever it is lost.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pg, { escapeIdentifier, type Notification } from 'pg';
import type { DataSource } from 'typeorm';
import { loggerFor } from '@tessera/logging';
import { poolOf } from './connection.js';
import { toDatabaseError } from './errors.js';

const log = loggerFor('database');

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5_000;

/** Why somebody is called who listens. Before a connection, nobody has heard what was announced. */
export type Occasion =
  | 'announcement'
  /** Of another process of this program. */
  | 'announcement of our own'
  | 'first connection'
  | 'later connection';
type Listener = (occasion: Occasion) => void;

/** Of one process. A second one, on the same database, is another process to it. */
export class Announcements {
  /** Tells our own announcements from those of others. */
  private readonly sender: string;
  private readonly listeners = new Map<string, Listener>();
  private readonly stopping = new AbortController();
  private listening: Promise<void> = Promise.resolve();
  private wasConnected = false;

  /** @param program the same for its processes alone, without white space */
  constructor(
    private readonly dataSource: DataSource,
    private readonly program: string = randomUUID(),
  ) {
    this.sender = `${program} ${randomUUID()}`;
  }

  /**
   * Has one channel heard, from {@link start} on.
   *
   * @param listener called after each announcement of others on the channel, and after each connection
   */
  listen(channel: string, listener: Listener): void {
    this.listeners.set(channel, listener);
  }

  start(): void {
    this.listening = this.keepListening();
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.listening;
  }

  /** Calls those who listen to the channel in other processes. @throws DatabaseError DATABASE_UNAVAILABLE */
  async announce(channel: string): Promise<void> {
    try {
      await poolOf(this.dataSource).query('select pg_notify($1, $2)', [channel, this.sender]);
    } catch (error) {
      throw toDatabaseError(error);
    }
  }

  private async keepListening(): Promise<void> {
    let pause = FIRST_PAUSE_MS;
    while (!this.stopping.signal.aborted) {
      try {
        await this.listenOnce(() => {
          pause = FIRST_PAUSE_MS;
        });
      } catch (error) {
        log.warn({ error }, 'cannot hear for now what other processes announce');
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
    client.on('notification', (notification) => this.hear(notification));
    const stop = (): void => end(undefined);
    this.stopping.signal.addEventListener('abort', stop);
    try {
      await client.connect();
      await client.query(this.listenStatement());
      onConnected();
      this.tellOfConnection();
      if (!this.stopping.signal.aborted) await ended;
    } finally {
      this.stopping.signal.removeEventListener('abort', stop);
      // Not waited for: a database that hangs never says goodbye.
      client.end().catch(() => {});
    }
  }

  private listenStatement(): string {
    return [...this.listeners.keys()].map((each) => `listen ${escapeIdentifier(each)}`).join('; ');
  }

  private hear({ channel, payload }: Notification): void {
    if (payload === this.sender) return;
    const isOwn = payload?.startsWith(`${this.program} `) === true;
    this.listeners.get(channel)?.(isOwn ? 'announcement of our own' : 'announcement');
  }

  private tellOfConnection(): void {
    const occasion = this.wasConnected ? 'later connection' : 'first connection';
    this.wasConnected = true;
    for (const listener of this.listeners.values()) listener(occasion);
  }

  private async pauseFor(milliseconds: number): Promise<void> {
    const { signal } = this.stopping;
    await sleep(milliseconds, undefined, { signal, ref: false }).catch(() => {});
  }
}
