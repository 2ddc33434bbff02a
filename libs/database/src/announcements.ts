// Announcements between the processes on one database, by LISTEN and NOTIFY. They carry no content. The listening connection
// is outside the pool, and is opened again when it is lost.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { escapeIdentifier, type Notification } from 'pg';
import type { DataSource } from 'typeorm';
import { loggerFor } from '@tessera/logging';
import { backoffDelay, toDatabaseError } from '@tessera/runtime';
import { poolOf, sessionPoolOf } from './connection.js';

const log = loggerFor('database');

/** In milliseconds. Nodes that lost the same database do not return to it in step. */
const RECONNECT_BACKOFF = { initial: 100, max: 5_000, jitter: 0.5 };

/** Why a listener is called. What was announced before a connection is lost. */
export type AnnouncementEvent =
  | 'announcement'
  /** From another process of this program. */
  | 'announcement of our own'
  | 'first connection'
  | 'later connection';
type Listener = (event: AnnouncementEvent) => void;

/** The announcements of one process. */
export class Announcements {
  /** In each announcement, to recognise our own. */
  private readonly sender: string;
  private readonly listeners = new Map<string, Listener>();
  private readonly stopping = new AbortController();
  private listening: Promise<void> = Promise.resolve();
  private wasConnected = false;
  /** Channels of {@link announceSoon} that wait for the running announcement. */
  private readonly waiting = new Set<string>();
  private announcing: Promise<void> = Promise.resolve();

  /** @param program one name for all processes of this program, without white space */
  constructor(
    private readonly dataSource: DataSource,
    private readonly program: string = randomUUID(),
  ) {
    this.sender = `${program} ${randomUUID()}`;
  }

  /**
   * Listens to a channel, from {@link start} on.
   *
   * @param listener called after each announcement of another process, and after each connection
   */
  listen(channel: string, listener: Listener): void {
    this.listeners.set(channel, listener);
  }

  start(): void {
    this.listening = this.keepListening();
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await Promise.all([this.listening, this.announcing]);
  }

  /** Calls the listeners of the channel in other processes. @throws DatabaseError DATABASE_UNAVAILABLE */
  async announce(channel: string): Promise<void> {
    try {
      await poolOf(this.dataSource).query('select pg_notify($1, $2)', [channel, this.sender]);
    } catch (error) {
      throw toDatabaseError(error);
    }
  }

  /**
   * As {@link announce}, without waiting, and for the listener of this process, too. Calls while an announcement runs share
   * the next one. One that fails is logged: listeners must also poll.
   */
  announceSoon(channel: string): void {
    this.listeners.get(channel)?.('announcement of our own');
    if (this.waiting.has(channel)) return;
    this.waiting.add(channel);
    this.announcing = this.announcing.then(async () => {
      this.waiting.delete(channel);
      await this.announce(channel).catch((error: unknown) => {
        log.warn({ error }, 'other processes could not be told');
      });
    });
  }

  private async keepListening(): Promise<void> {
    for (let attempt = 1; !this.stopping.signal.aborted; attempt += 1) {
      try {
        await this.listenOnce(() => {
          attempt = 1;
        });
      } catch (error) {
        log.warn({ error }, 'cannot hear for now what other processes announce');
      }
      await this.pauseFor(backoffDelay(attempt, RECONNECT_BACKOFF));
    }
  }

  /** Listens until {@link stop}; fails when the connection is lost. */
  private async listenOnce(onConnected: () => void): Promise<void> {
    const client = sessionPoolOf(this.dataSource).createSession();
    const { promise: ended, resolve: end, reject: fail } = Promise.withResolvers<undefined>();
    // A rejection after the end of the wait is no unhandled one.
    ended.catch(() => {});
    client.on('error', fail);
    client.on('end', () => fail(new Error('the connection has ended')));
    client.on('notification', (notification) => this.onNotification(notification));
    const stop = (): void => end(undefined);
    this.stopping.signal.addEventListener('abort', stop);
    try {
      await client.connect();
      await client.query(this.listenStatement());
      onConnected();
      this.onConnection();
      if (!this.stopping.signal.aborted) await ended;
    } finally {
      this.stopping.signal.removeEventListener('abort', stop);
      // Not awaited: a database that hangs never closes the connection.
      client.end().catch(() => {});
    }
  }

  private listenStatement(): string {
    return [...this.listeners.keys()].map((each) => `listen ${escapeIdentifier(each)}`).join('; ');
  }

  private onNotification({ channel, payload }: Notification): void {
    if (payload === this.sender) return;
    const isOwn = payload?.startsWith(`${this.program} `) === true;
    this.listeners.get(channel)?.(isOwn ? 'announcement of our own' : 'announcement');
  }

  private onConnection(): void {
    const event = this.wasConnected ? 'later connection' : 'first connection';
    this.wasConnected = true;
    for (const listener of this.listeners.values()) listener(event);
  }

  private async pauseFor(milliseconds: number): Promise<void> {
    const { signal } = this.stopping;
    await sleep(milliseconds, undefined, { signal, ref: false }).catch(() => {});
  }
}
