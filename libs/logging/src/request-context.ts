// The current request, in asynchronous context.
import { AsyncLocalStorage } from 'node:async_hooks';

/** What is known of a request. Most requests need none of it, so both should be computed at their first use. */
export interface RequestOrigin {
  readonly id: string;
  readonly clientAddress?: string;
  readonly caller?: Caller;
}

/** What queues need to know of the sender of a request. */
export interface Caller {
  /** The client address, or the part of it that one client cannot choose. */
  readonly network: string;
  /** Whether somebody has logged in from there recently. */
  readonly isKnown: boolean;
  /** Whether the connection is closed, so that no answer arrives. */
  isGone(): boolean;
}

/** Of work that no request has begun. */
const NOBODY: Caller = { network: '', isKnown: true, isGone: () => false };

const contexts = new AsyncLocalStorage<RequestOrigin>();

/** Runs `run`. Every line logged in its asynchronous context carries the id of the request. */
export function withRequest<T>(origin: RequestOrigin, run: () => T): T {
  return contexts.run(origin, run);
}

/** Runs `run` outside any request, for background work on a resource that a request has opened. */
export function withoutRequest<T>(run: () => T): T {
  return contexts.exit(run);
}

export function currentRequestId(): string | undefined {
  return contexts.getStore()?.id;
}

export function currentClientAddress(): string | undefined {
  return contexts.getStore()?.clientAddress;
}

export function currentCaller(): Caller {
  return contexts.getStore()?.caller ?? NOBODY;
}
