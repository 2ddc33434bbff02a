// Owns how a worker asks the first process for reloads, and takes part in those of all.
import type { CoreSettings, LiveSettings } from '@tessera/settings';
import { ENDING } from '../callers.js';
import type { ReloadOutcome } from '../reload-outcome.js';
import type { Reload } from '../reload.js';
import { readToWorker, type FromWorker, type ToWorker } from './messages.js';
import { LocalParticipant } from './local-participant.js';

/** The way to the first process: of a worker, `process`. */
export interface PrimaryChannel {
  send?: (message: FromWorker, callback: () => void) => unknown;
  on(event: 'message', listener: (message: unknown) => void): unknown;
  on(event: 'disconnect', listener: () => void): unknown;
}

export class PrimaryClient<T extends CoreSettings> {
  private readonly own: LocalParticipant<T>;
  private readonly requests = new Map<number, (outcome: ReloadOutcome) => void>();
  private requestCount = 0;
  /** Settled when it has the settings of the others. */
  private readonly inStep = Promise.withResolvers<undefined>();
  /** One after the other, however long it takes: a late answer to a stage comes before what follows it. */
  private turn: Promise<void> = Promise.resolve();

  constructor(
    private readonly live: LiveSettings<T>,
    private readonly channel: PrimaryChannel = process,
  ) {
    this.own = new LocalParticipant(live);
    channel.on('message', (message) => this.hear(readToWorker(message)));
    channel.on('disconnect', () => {
      this.inStep.resolve(undefined);
      for (const request of this.requests.keys()) this.answer(request, ENDING);
    });
  }

  /** By the first process, in all workers. */
  readonly reload: Reload = (cause) => {
    const { promise, resolve } = Promise.withResolvers<ReloadOutcome>();
    this.requestCount += 1;
    this.requests.set(this.requestCount, resolve);
    this.send({ reload: 'request', request: this.requestCount, cause });
    return promise;
  };

  /**
   * Takes part from now on, and returns when it has the settings of the others, or is to end.
   *
   * @throws SettingsError where it cannot have them
   */
  async join(end: AbortSignal): Promise<void> {
    end.addEventListener('abort', () => this.inStep.resolve(undefined), { once: true });
    if (end.aborted) this.inStep.resolve(undefined);
    else this.send({ reload: 'joined', files: this.live.files });
    await this.inStep.promise;
  }

  private hear(message: ToWorker | undefined): void {
    if (message === undefined) return;
    if (message.reload === 'outcome') this.answer(message.request, message.outcome);
    else this.turn = this.turn.then(() => this.obey(message));
  }

  private async obey(message: Exclude<ToWorker, { reload: 'outcome' }>): Promise<void> {
    if (message.reload === 'settings') {
      await this.catchUp(message.inForce).then(this.inStep.resolve, this.inStep.reject);
    } else if (message.reload === 'stage') {
      const { round, key } = message;
      this.send({ reload: 'vote', round, vote: await this.own.stage(key) });
    } else if (message.reload === 'adopt') {
      await this.own.commit();
      this.send({ reload: 'adopted', round: message.round, files: this.live.files });
    } else {
      this.own.discard();
    }
  }

  /** The others may have gone over to what is new while this process was starting. */
  private async catchUp(inForce: string): Promise<undefined> {
    const { commit } = await this.live.stage(inForce);
    commit();
    return undefined;
  }

  private answer(request: number, outcome: ReloadOutcome): void {
    this.requests.get(request)?.(outcome);
    this.requests.delete(request);
  }

  private send(message: FromWorker): void {
    // Where the way is gone, so is the first process, and this one ends.
    this.channel.send?.(message, () => {});
  }
}
