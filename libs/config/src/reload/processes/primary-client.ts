// The worker's connection to the primary process, which reads the settings and sends them.
import cluster from 'node:cluster';
import type { ReloadOutcome } from '../reload-outcome.js';
import type { Reload } from '../reload.js';
import { SHUTTING_DOWN } from '../pending-reloads.js';
import { type FromWorker, isReloadMessage, type ToWorker } from './messages.js';

/** The channel to the primary process; in a worker, `process`. */
export interface PrimaryChannel {
  send?: (message: FromWorker, callback: () => void) => unknown;
  on(event: 'message', listener: (message: unknown) => void): unknown;
  on(event: 'disconnect', listener: () => void): unknown;
  off(event: 'message', listener: (message: unknown) => void): unknown;
}

/** The current settings of the primary process, to start a worker with; undefined in the primary process itself. */
export async function primarySnapshot(
  channel: PrimaryChannel | undefined = cluster.isWorker ? process : undefined,
): Promise<string | undefined> {
  if (channel === undefined) return undefined;
  const { promise, resolve } = Promise.withResolvers<string>();
  const onMessage = (message: unknown): void => {
    if (!isReloadMessage(message) || message.reload !== 'settings') return;
    channel.off('message', onMessage);
    resolve(message.snapshot);
  };
  channel.on('message', onMessage);
  send(channel, { reload: 'starting' });
  return promise;
}

export class PrimaryClient {
  private readonly requests = new Map<number, (outcome: ReloadOutcome) => void>();
  private requestCount = 0;
  private readonly started = Promise.withResolvers<undefined>();
  private applying: Promise<void> = this.started.promise;

  /** @param apply applies the settings of a snapshot; it never fails */
  constructor(
    private readonly apply: (snapshot: string) => Promise<void>,
    private readonly channel: PrimaryChannel = process,
  ) {
    channel.on('message', (message) => {
      if (isReloadMessage(message)) this.onMessage(message);
    });
    channel.on('disconnect', () => {
      for (const request of this.requests.keys()) this.answer(request, SHUTTING_DOWN);
    });
  }

  /** Has the primary process reload all processes. */
  readonly reload: Reload = (cause) => {
    const { promise, resolve } = Promise.withResolvers<ReloadOutcome>();
    this.requestCount += 1;
    this.requests.set(this.requestCount, resolve);
    send(this.channel, { reload: 'request', request: this.requestCount, cause });
    return promise;
  };

  /** Applies from now on what the primary process sends, also what it has sent since the construction. */
  start(): void {
    this.started.resolve(undefined);
  }

  private onMessage(message: ToWorker | FromWorker): void {
    if (message.reload === 'outcome') this.answer(message.request, message.outcome);
    if (message.reload !== 'settings') return;
    const { snapshot } = message;
    this.applying = this.applying.then(async () => {
      await this.apply(snapshot);
      send(this.channel, { reload: 'applied' });
    });
  }

  private answer(request: number, outcome: ReloadOutcome): void {
    this.requests.get(request)?.(outcome);
    this.requests.delete(request);
  }
}

/** A closed channel means that the primary process has ended, and this process ends too. */
function send(channel: PrimaryChannel, message: FromWorker): void {
  channel.send?.(message, () => {});
}
