// A bounded pool of connections to one LDAP server.
import { currentCaller } from '@tessera/logging';
import { Turns } from '@tessera/runtime';
import { LdapError } from './ldap-error.js';
import type { LdapConnection } from './ldap-connection.js';

/** Firewalls silently drop connections that are idle for long. */
const MAX_IDLE_MS = 60_000;
const MAX_WAITING = { ofNetwork: 128, ofGroup: 512 };

type Waiter = Pick<PromiseWithResolvers<true>, 'resolve' | 'reject'>;
type Work<T> = (connection: LdapConnection) => Promise<T>;

export class ConnectionPool {
  /** The most recently used is last. */
  private idle: { readonly connection: LdapConnection; readonly since: number }[] = [];
  private readonly waiting = new Turns<Waiter>(MAX_WAITING);
  private used = 0;
  private isClosed = false;

  /** @param open opens a connection that is ready for use */
  constructor(
    private readonly size: number,
    private readonly open: (signal: AbortSignal) => Promise<LdapConnection>,
  ) {}

  /**
   * Runs work with exclusive use of a connection. Where a pooled connection is lost, as after a restart of
   * the server, the work runs again on a new one.
   *
   * @throws LdapError LDAP_BUSY where none is free in time, too many callers wait, or the caller has disconnected
   * @throws the error of `work`
   */
  async use<T>(work: Work<T>, signal: AbortSignal): Promise<T> {
    await this.acquireSlot(signal);
    try {
      if (signal.aborted || currentCaller().isGone()) throw busy();
      const pooled = this.takeIdle();
      if (pooled === undefined) return await this.run(await this.open(signal), work);
      try {
        return await this.run(pooled, work);
      } catch (error) {
        if (pooled.isOpen || signal.aborted) throw error;
        return await this.run(await this.open(signal), work);
      }
    } finally {
      this.releaseSlot();
    }
  }

  /** Closes idle connections once no caller uses one or waits. Until then they are reused: new ones may be refused. */
  close(): void {
    this.isClosed = true;
    if (this.used === 0) this.closeIdle();
  }

  private async run<T>(connection: LdapConnection, work: Work<T>): Promise<T> {
    try {
      return await work(connection);
    } finally {
      if (connection.isOpen) this.idle.push({ connection, since: performance.now() });
    }
  }

  private takeIdle(): LdapConnection | undefined {
    this.idle = this.idle.filter(({ connection }) => connection.isOpen);
    const last = this.idle.at(-1);
    if (last !== undefined && performance.now() - last.since > MAX_IDLE_MS) this.closeIdle();
    return this.idle.pop()?.connection;
  }

  private closeIdle(): void {
    for (const { connection } of this.idle.splice(0)) connection.close();
  }

  /** Callers wait in turns, by the network of the current request. */
  private async acquireSlot(signal: AbortSignal): Promise<void> {
    if (this.used < this.size) {
      this.used += 1;
      return;
    }
    const caller = currentCaller();
    const { promise, ...waiter } = Promise.withResolvers<true>();
    const onAbort = (): void => {
      this.waiting.remove(caller, waiter);
      waiter.reject(busy());
    };
    this.waiting.add(caller, waiter)?.reject(busy());
    signal.addEventListener('abort', onAbort, { once: true });
    if (signal.aborted) onAbort();
    await promise.finally(() => signal.removeEventListener('abort', onAbort));
  }

  private releaseSlot(): void {
    const next = this.waiting.take();
    if (next === undefined) {
      this.used -= 1;
      if (this.isClosed && this.used === 0) this.closeIdle();
    } else {
      next.resolve(true);
    }
  }
}

function busy(): LdapError {
  return new LdapError('LDAP_BUSY', 'No connection to the directory became free in time.');
}
