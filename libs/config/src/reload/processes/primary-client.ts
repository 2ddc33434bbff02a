// The worker's side of a coordinated reload: its connection to the primary process.
import cluster from 'node:cluster';
import type { CoreSettings, LiveSettings } from '../../settings/index.js';
import { SHUTTING_DOWN } from '../pending-reloads.js';
import type { ReloadOutcome } from '../reload-outcome.js';
import type { Reload } from '../reload.js';
import { LocalParticipant } from './coordinated-reload.js';
import { readToWorker, type FromWorker, type ToWorker } from './messages.js';

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
    const known = readToWorker(message);
    if (known?.reload !== 'settings') return;
    channel.off('message', onMessage);
    resolve(known.inForce);
  };
  channel.on('message', onMessage);
  send(channel, { reload: 'starting' });
  return promise;
}

export class PrimaryClient<T extends CoreSettings> {
  private readonly local: LocalParticipant<T>;
  private readonly requests = new Map<number, (outcome: ReloadOutcome) => void>();
  private requestCount = 0;
  /** Settled when this process has the settings of the others. */
  private readonly joined = Promise.withResolvers<undefined>();
  /** Messages are handled in sequence, so that a slow `stage` ends before the message that follows it. */
  private queue: Promise<void> = Promise.resolve();

  constructor(
    private readonly live: LiveSettings<T>,
    private readonly channel: PrimaryChannel = process,
  ) {
    this.local = new LocalParticipant(live);
    channel.on('message', (message) => this.onMessage(readToWorker(message)));
    channel.on('disconnect', () => {
      this.joined.resolve(undefined);
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

  /**
   * Takes part from now on. Resolves when this process has the settings of the others, or shuts down.
   *
   * @throws SettingsError when it cannot use those settings
   */
  async join(shutdown: AbortSignal): Promise<void> {
    shutdown.addEventListener('abort', () => this.joined.resolve(undefined), { once: true });
    if (shutdown.aborted) this.joined.resolve(undefined);
    else send(this.channel, { reload: 'joined', files: this.live.files });
    await this.joined.promise;
  }

  private onMessage(message: ToWorker | undefined): void {
    if (message === undefined) return;
    if (message.reload === 'outcome') this.answer(message.request, message.outcome);
    else this.queue = this.queue.then(() => this.handle(message));
  }

  private async handle(message: Exclude<ToWorker, { reload: 'outcome' }>): Promise<void> {
    if (message.reload === 'settings') {
      await this.applySnapshot(message.inForce).then(this.joined.resolve, this.joined.reject);
    } else if (message.reload === 'stage') {
      const { round, key } = message;
      send(this.channel, { reload: 'vote', round, vote: await this.local.stage(key) });
    } else if (message.reload === 'adopt') {
      await this.local.commit();
      send(this.channel, { reload: 'adopted', round: message.round, files: this.live.files });
    } else {
      this.local.discard();
    }
  }

  /** The others may have reloaded while this process started. */
  private async applySnapshot(snapshot: string): Promise<undefined> {
    const { commit } = await this.live.stage(snapshot);
    commit();
    return undefined;
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
