// The current request, in asynchronous context.
import { AsyncLocalStorage } from 'node:async_hooks';

/** How to find out about a request. Most requests need none of it, so nothing is computed before its first use. */
export interface RequestOrigin {
  readonly createId: () => string;
  readonly clientAddress?: () => string;
}

interface RequestContext {
  id?: string;
  readonly origin: RequestOrigin;
}

const contexts = new AsyncLocalStorage<RequestContext>();

/** Runs `run`. Every line logged in its asynchronous context carries the id of the request. */
export function withRequest<T>(origin: RequestOrigin, run: () => T): T {
  return contexts.run({ origin }, run);
}

/** Runs `run` outside any request, for background work on a resource that a request has opened. */
export function withoutRequest<T>(run: () => T): T {
  return contexts.exit(run);
}

export function currentRequestId(): string | undefined {
  const context = contexts.getStore();
  return context && (context.id ??= context.origin.createId());
}

export function currentClientAddress(): string | undefined {
  return contexts.getStore()?.origin.clientAddress?.();
}
