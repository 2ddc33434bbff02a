// Typed events of the process, on Node's diagnostics channels.
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

  /** @returns a function that ends the subscription */
  subscribe(subscriber: (event: E) => void): () => void {
    const listener = (event: unknown): void => subscriber(event as E);
    this.#channel.subscribe(listener);
    return () => {
      this.#channel.unsubscribe(listener);
    };
  }
}
