// Owns a bounded number of connections to one server, of one kind. What a connection is bound as is the
// matter of whoever uses it.
import { LdapError } from './ldap-error.js';
import type { LdapConnection } from './ldap-connection.js';

/** Firewalls forget what was silent for long, without a word. */
const LONGEST_REST_MS = 60_000;

type Work<T> = (connection: LdapConnection) => Promise<T>;

export class ConnectionPool {
  /** The one that rested least is at the end. */
  private idle: { readonly connection: LdapConnection; readonly since: number }[] = [];
  private readonly waiting = new Set<(isTurn: true) => void>();
  private taken = 0;
  private isClosed = false;

  /** @param open makes a connection ready for use */
  constructor(
    private readonly size: number,
    private readonly open: (signal: AbortSignal) => Promise<LdapConnection>,
  ) {}

  /**
   * Runs work on a connection that nobody else uses meanwhile. Work on one that was kept, and turned
   * out to be lost, runs again on a new one: the server may have been restarted since.
   *
   * @throws LdapError LDAP_BUSY where none was free in time; and what `work` throws
   */
  async use<T>(work: Work<T>, signal: AbortSignal): Promise<T> {
    await this.turn(signal);
    try {
      if (signal.aborted) throw busy();
      const kept = this.takeKept();
      if (kept === undefined) return await this.run(await this.open(signal), work);
      try {
        return await this.run(kept, work);
      } catch (error) {
        if (kept.isOpen || signal.aborted) throw error;
        return await this.run(await this.open(signal), work);
      }
    } finally {
      this.passOn();
    }
  }

  /** Closes all connections when nobody uses one or waits: a new one may not be let in as they were. */
  close(): void {
    this.isClosed = true;
    if (this.taken === 0) this.closeKept();
  }

  private async run<T>(connection: LdapConnection, work: Work<T>): Promise<T> {
    try {
      return await work(connection);
    } finally {
      if (connection.isOpen) this.idle.push({ connection, since: performance.now() });
    }
  }

  private takeKept(): LdapConnection | undefined {
    this.idle = this.idle.filter(({ connection }) => connection.isOpen);
    const last = this.idle.at(-1);
    if (last !== undefined && performance.now() - last.since > LONGEST_REST_MS) this.closeKept();
    return this.idle.pop()?.connection;
  }

  private closeKept(): void {
    for (const { connection } of this.idle.splice(0)) connection.close();
  }

  /** First come, first served. */
  private async turn(signal: AbortSignal): Promise<void> {
    if (this.taken < this.size) {
      this.taken += 1;
      return;
    }
    const { promise, resolve, reject } = Promise.withResolvers<true>();
    const onAbort = (): void => {
      this.waiting.delete(resolve);
      reject(busy());
    };
    this.waiting.add(resolve);
    signal.addEventListener('abort', onAbort, { once: true });
    if (signal.aborted) onAbort();
    await promise.finally(() => signal.removeEventListener('abort', onAbort));
  }

  private passOn(): void {
    const [next] = this.waiting;
    if (next === undefined) {
      this.taken -= 1;
      if (this.isClosed && this.taken === 0) this.closeKept();
    } else {
      this.waiting.delete(next);
      next(true);
    }
  }
}

function busy(): LdapError {
  return new LdapError('LDAP_BUSY', 'More logins wait for the directory than it answers.');
}
