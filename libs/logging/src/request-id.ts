// The id of the current request, in asynchronous context.
import { AsyncLocalStorage } from 'node:async_hooks';

/** Most requests log nothing, so their id is created at its first use. */
interface RequestIdentity {
  id?: string;
  readonly createId: () => string;
}

const identities = new AsyncLocalStorage<RequestIdentity>();

/** Runs `run`. Every line logged in its asynchronous context carries the id that `createId` returns. */
export function withRequestId<T>(createId: () => string, run: () => T): T {
  return identities.run({ createId }, run);
}

/** Runs `run` outside any request, for background work on a resource that a request has opened. */
export function withoutRequestId<T>(run: () => T): T {
  return identities.exit(run);
}

export function currentRequestId(): string | undefined {
  const identity = identities.getStore();
  return identity && (identity.id ??= identity.createId());
}
