// Owns a worker as the first process sees it: what it is asked, and its answer or its silence.
import { loggerFor } from '@tessera/logging';
import type { FromWorker, ToWorker } from './messages.js';
import type { Participant, Vote } from './participant.js';

const log = loggerFor('settings');

/** In milliseconds. */
const PATIENCE = 30_000;
const DONE: Vote = { problems: [] };

/** The way to a worker. */
export interface Channel {
  /** For people: `worker 4711`. */
  readonly name: string;
  /** Never fails: what does not arrive is not answered. */
  send(message: ToWorker): void;
}

export class WorkerProcess implements Participant {
  /** Grows with each stage, so that a late answer is known for one. */
  private round = 0;
  private settle: ((vote: Vote) => void) | undefined;
  private wasLate = false;

  /** @param files whose change calls for a reload */
  constructor(
    private readonly channel: Channel,
    public files: readonly string[],
    private readonly patience = PATIENCE,
  ) {}

  /** It did not answer in time, and has said nothing since: to ask it again would only have others wait. */
  get isSilent(): boolean {
    return this.wasLate;
  }

  stage(key: string): Promise<Vote> {
    this.round += 1;
    return this.ask({ reload: 'stage', round: this.round, key });
  }

  async commit(): Promise<void> {
    await this.ask({ reload: 'adopt', round: this.round });
  }

  discard(): void {
    this.channel.send({ reload: 'discard', round: this.round });
  }

  hear(message: Extract<FromWorker, { round: number }>): void {
    this.wasLate = false;
    if (message.reload === 'adopted') this.files = message.files;
    if (message.round === this.round) {
      this.settle?.(message.reload === 'vote' ? message.vote : DONE);
    }
  }

  ended(): void {
    this.settle?.({ problems: [`${this.channel.name} ended meanwhile`] });
  }

  private ask(message: ToWorker): Promise<Vote> {
    const { promise, resolve } = Promise.withResolvers<Vote>();
    const { name } = this.channel;
    const late = `${name} did not answer within ${this.patience / 1_000} s`;
    const giveUp = (): void => {
      this.wasLate = true;
      log.warn(
        { worker: name },
        'a worker does not answer: reloads go on without it until it does',
      );
      this.settle?.({ problems: [late] });
    };
    const timer = setTimeout(giveUp, this.patience).unref();
    this.settle = (vote) => {
      clearTimeout(timer);
      this.settle = undefined;
      resolve(vote);
    };
    this.channel.send(message);
    return promise;
  }
}
