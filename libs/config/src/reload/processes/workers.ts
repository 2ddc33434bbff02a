// The primary's side of a coordinated reload: the workers that take part.
import cluster, { type Cluster, type Worker } from 'node:cluster';
import { loggerFor } from '@tessera/logging';
import { NEW_WORKER } from '../reload-reasons.js';
import type { Reload } from '../reload.js';
import type { Participant, Vote } from './coordinated-reload.js';
import { readFromWorker, type FromWorker, type ToWorker } from './messages.js';

const log = loggerFor('settings');

const ANSWER_TIMEOUT_MS = 30_000;
const DONE: Vote = { problems: [] };

/** The channel to a worker. */
export interface Channel {
  /** For the log: `worker 4711`. */
  readonly name: string;
  /** Never fails: a lost message has no answer. */
  send(message: ToWorker): void;
}

export class WorkerProcess implements Participant {
  /** Counts stages, to recognise a late answer. */
  private round = 0;
  private settle: ((vote: Vote) => void) | undefined;
  private hasTimedOut = false;

  /** @param files whose change starts a reload */
  constructor(
    private readonly channel: Channel,
    public files: readonly string[],
    private readonly timeout = ANSWER_TIMEOUT_MS,
  ) {}

  /** It did not answer in time, and has sent nothing since. Reloads go on without it. */
  get isUnresponsive(): boolean {
    return this.hasTimedOut;
  }

  stage(key: string): Promise<Vote> {
    this.round += 1;
    return this.request({ reload: 'stage', round: this.round, key });
  }

  async commit(): Promise<void> {
    await this.request({ reload: 'adopt', round: this.round });
  }

  discard(): void {
    this.channel.send({ reload: 'discard', round: this.round });
  }

  onMessage(message: Extract<FromWorker, { round: number }>): void {
    this.hasTimedOut = false;
    if (message.reload === 'adopted') this.files = message.files;
    if (message.round === this.round) {
      this.settle?.(message.reload === 'vote' ? message.vote : DONE);
    }
  }

  onExit(): void {
    this.settle?.({ problems: [`${this.channel.name} ended meanwhile`] });
  }

  private request(message: ToWorker): Promise<Vote> {
    const { promise, resolve } = Promise.withResolvers<Vote>();
    const { name } = this.channel;
    const late = `${name} did not answer within ${this.timeout / 1_000} s`;
    const giveUp = (): void => {
      this.hasTimedOut = true;
      log.warn(
        { worker: name },
        'a worker does not answer: reloads go on without it until it does',
      );
      this.settle?.({ problems: [late] });
    };
    const timer = setTimeout(giveUp, this.timeout).unref();
    this.settle = (vote) => {
      clearTimeout(timer);
      this.settle = undefined;
      resolve(vote);
    };
    this.channel.send(message);
    return promise;
  }
}

/** The workers of this process that have joined reloads. */
export class Workers {
  private readonly joined = new Map<number, WorkerProcess>();
  /** Joined since the last reload: their settings may be out of date. */
  private readonly newcomers = new Set<Worker>();

  /**
   * @param snapshot the current settings, as text
   * @param timeout milliseconds for each answer of a worker
   */
  constructor(
    private readonly snapshot: () => string,
    private readonly source: Pick<Cluster, 'on'> = cluster,
    private readonly timeout?: number,
  ) {}

  get processes(): readonly WorkerProcess[] {
    return [...this.joined.values()];
  }

  /** The participants of a reload that begins now. Newcomers get the current settings first. */
  participants(): readonly WorkerProcess[] {
    for (const worker of this.newcomers) this.sendSnapshot(worker);
    this.newcomers.clear();
    return this.processes.filter(({ isUnresponsive }) => !isUnresponsive);
  }

  /** Sends the current settings to each worker that starts: the sources may have changed since the primary read them. */
  answerStarting(): void {
    this.source.on('message', (worker: Worker, message: unknown) => {
      if (readFromWorker(message)?.reload === 'starting') this.sendSnapshot(worker);
    });
  }

  /** Lets workers join, and reloads when a worker joins or requests it. */
  admit(reload: Reload): void {
    this.source.on('message', (worker: Worker, message: unknown) => {
      const known = readFromWorker(message);
      if (known !== undefined) void this.onMessage(worker, known, reload);
    });
    this.source.on('disconnect', (worker: Worker) => {
      this.newcomers.delete(worker);
      this.joined.get(worker.id)?.onExit();
      this.joined.delete(worker.id);
    });
  }

  private async onMessage(worker: Worker, message: FromWorker, reload: Reload): Promise<void> {
    if (message.reload === 'joined') {
      const channel = { name: `worker ${worker.process.pid}`, send: sendTo(worker) };
      this.joined.set(worker.id, new WorkerProcess(channel, message.files, this.timeout));
      await this.synchronise(worker, reload);
    } else if (message.reload === 'request') {
      const { request, cause } = message;
      sendTo(worker)({ reload: 'outcome', request, outcome: await reload(cause) });
    } else if (message.reload !== 'starting') {
      const known = this.joined.get(worker.id);
      const wasUnresponsive = known?.isUnresponsive;
      known?.onMessage(message);
      // The others may have reloaded without it.
      if (wasUnresponsive) await this.synchronise(worker, reload);
    }
  }

  private async synchronise(worker: Worker, reload: Reload): Promise<void> {
    this.newcomers.add(worker);
    await reload(NEW_WORKER);
  }

  private sendSnapshot(worker: Worker): void {
    sendTo(worker)({ reload: 'settings', inForce: this.snapshot() });
  }
}

function sendTo(worker: Worker): (message: ToWorker) => void {
  // Without a callback, a worker that has ended would throw.
  return (message) => void worker.send(message, () => {});
}
