// Typed operations of the process, each with a beginning and an end, on Node's tracing channels.
import type { AsyncLocalStorage } from 'node:async_hooks';
import { tracingChannel, type TracingChannel } from 'node:diagnostics_channel';

/** How an operation ended: with an error, or with a result that may be undefined. */
export interface Settled {
  readonly error?: unknown;
  readonly result?: unknown;
}

/** An operation that has begun, for one observer. */
export interface Observed<Store> {
  /** What the storage holds during the operation. */
  readonly store: Store;
  /** Called once, when it ends. It must not throw: Node would end the process. */
  readonly end: (settled: Settled) => void;
}

/** One run of an operation. Node sets its error or result. State is kept here: a WeakMap would cost garbage collections. */
interface Run<O> extends Settled {
  readonly operation: O;
  end: Observed<unknown>['end'] | undefined;
}

/**
 * A channel of operations, one for each name in the process. While nobody observes, an operation costs a few nanoseconds
 * more than the work itself.
 */
export class OperationChannel<O extends object> {
  readonly #channel: TracingChannel<unknown, Run<O>>;
  /** Of the observer. */
  #storage: AsyncLocalStorage<unknown> | undefined;

  /** @param name such as `tessera:statements` */
  constructor(name: string) {
    this.#channel = tracingChannel(name);
  }

  /** Whether an operation that is expensive to describe is worth it. */
  get hasObserver(): boolean {
    return this.#channel.hasSubscribers;
  }

  /** What the storage of the observer holds now: for work that goes on in the context of another caller. */
  get store(): unknown {
    return this.#storage?.getStore();
  }

  /**
   * Returns a callback that runs with the present store of the observer. `AsyncLocalStorage.bind` keeps the stores of all
   * storages, and costs ten times as much.
   */
  keepStore<P extends unknown[]>(callback: (...parameters: P) => void): (...parameters: P) => void {
    const storage = this.#storage;
    if (storage === undefined) return callback;
    const store = storage.getStore();
    return (...parameters) => storage.run(store, callback, ...parameters);
  }

  run<T>(operation: O, work: () => Promise<T>): Promise<T> {
    return this.#channel.hasSubscribers
      ? this.#channel.tracePromise<undefined, [], T>(work, { operation, end: undefined })
      : work();
  }

  /** As {@link run}, of a function whose last parameter is a callback. */
  runWithCallback(
    operation: O,
    work: (...parameters: unknown[]) => unknown,
    parameters: readonly unknown[],
  ): unknown {
    const run = { operation, end: undefined };
    return this.#channel.traceCallback(work, -1, run, undefined, ...parameters);
  }

  /**
   * Sets the observer of the channel, which has one at most.
   *
   * @param begin must not throw; undefined for an operation that is not observed, which leaves the storage as it is
   * @returns a function that ends the observation
   */
  observe<Store>(
    storage: AsyncLocalStorage<Store>,
    begin: (operation: O) => Observed<Store> | undefined,
  ): () => void {
    const { start, end: returned, asyncStart: settled } = this.#channel;
    this.#storage = storage;
    const onSettled = (run: unknown): void => endRun(run as Run<O>);
    // Work that throws, instead of a promise that rejects, never settles.
    const onReturned = (run: unknown): void => {
      if ((run as Settled).error !== undefined) endRun(run as Run<O>);
    };
    start.bindStore(storage, (run) => {
      const observed = begin(run.operation);
      run.end = observed?.end;
      return observed?.store ?? storage.getStore();
    });
    returned.subscribe(onReturned);
    settled.subscribe(onSettled);
    return () => {
      this.#storage = undefined;
      start.unbindStore(storage);
      returned.unsubscribe(onReturned);
      settled.unsubscribe(onSettled);
    };
  }
}

function endRun(run: Run<object>): void {
  const { end } = run;
  run.end = undefined;
  end?.(run);
}
