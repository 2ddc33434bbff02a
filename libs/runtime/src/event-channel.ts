// Typed events of the process, on Node's diagnostics channels.
import type { AsyncLocalStorage } from 'node:async_hooks';
import { channel, type Channel } from 'node:diagnostics_channel';

/**
 * A channel of events, one for each name in the process. Publishing costs a few nanoseconds while nobody subscribes, so
 * domain code may publish without knowing who counts.
 */
export class EventChannel<E extends object> {
  readonly #channel: Channel;

  /** @param name such as `tessera:tickets` */
  constructor(name: string) {
    this.#channel = channel(name);
  }

  /** Whether an event that is expensive to make is worth it. */
  get hasSubscribers(): boolean {
    return this.#channel.hasSubscribers;
  }

  /** Calls all subscribers before it returns. An error of a subscriber ends the process. */
  publish(event: E): void {
    if (this.#channel.hasSubscribers) this.#channel.publish(event);
  }

  /** Publishes the event, and runs `work` in the asynchronous context that {@link bind} makes of it. */
  run(event: E, work: () => void): void {
    this.#channel.runStores(event, work);
  }

  /** @param storeOf what the storage holds during {@link run}. It must not throw. @returns a function that ends this */
  bind<Store>(
    storage: AsyncLocalStorage<Store>,
    storeOf: (event: E) => Store | undefined,
  ): () => void {
    const untyped = storage as AsyncLocalStorage<unknown>;
    this.#channel.bindStore(untyped, (event) => storeOf(event as E));
    return () => {
      this.#channel.unbindStore(untyped);
    };
  }

  /** @returns a function that ends the subscription */
  subscribe(subscriber: (event: E) => void): () => void {
    const listener = (event: unknown): void => subscriber(event as E);
    this.#channel.subscribe(listener);
    return () => {
      this.#channel.unsubscribe(listener);
    };
  }
}
