// Owns how a worker asks the first process for reloads, and takes part in those of all.
import type { CoreSettings, LiveSettings } from '@tessera/settings';
import type { ReloadOutcome } from '../reload-outcome.js';
import type { Reload } from '../reload.js';
import { readToWorker, type FromWorker, type ToWorker } from './messages.js';
import { OwnProcess } from './own-process.js';

const ENDING: ReloadOutcome = { problems: ['the process is ending'] };

/** The way to the first process: of a worker, `process`. */
export interface FirstProcessChannel {
  send?: (message: FromWorker, callback: () => void) => unknown;
  on(event: 'message', listener: (message: unknown) => void): unknown;
  on(event: 'disconnect', listener: () => void): unknown;
}

export class FirstProcess<T extends CoreSettings> {
  private readonly own: OwnProcess<T>;
  private readonly requests = new Map<number, (outcome: ReloadOutcome) => void>();
  private requestCount = 0;
  /** One after the other, however long it takes: a late answer to a stage comes before what follows it. */
  private turn: Promise<void> = Promise.resolve();

  constructor(
    private readonly live: LiveSettings<T>,
    private readonly channel: FirstProcessChannel = process,
  ) {
    this.own = new OwnProcess(live);
    channel.on('message', (message) => this.hear(readToWorker(message)));
    channel.on('disconnect', () => {
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

  /** Takes part from now on. */
  join(): void {
    this.send({ reload: 'joined', files: this.live.files });
  }

  private hear(message: ToWorker | undefined): void {
    if (message === undefined) return;
    if (message.reload === 'outcome') this.answer(message.request, message.outcome);
    else this.turn = this.turn.then(() => this.obey(message));
  }

  private async obey(message: Exclude<ToWorker, { reload: 'outcome' }>): Promise<void> {
    const { round } = message;
    if (message.reload === 'stage') {
      this.send({ reload: 'vote', round, vote: await this.own.stage(message.key) });
    } else if (message.reload === 'adopt') {
      await this.own.commit();
      this.send({ reload: 'adopted', round, files: this.live.files });
    } else {
      this.own.discard();
    }
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
