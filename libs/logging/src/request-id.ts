// Owns the id of the request at hand, carried through whatever is awaited.
import { AsyncLocalStorage } from 'node:async_hooks';

const requestIds = new AsyncLocalStorage<string>();

/** Runs `run`; each line logged meanwhile, also by what it leaves running, carries `id`. */
export function withRequestId<T>(id: string, run: () => T): T {
  return requestIds.run(id, run);
}

/** Runs `run` as outside any request: for what happens on its own, on a resource some request once opened. */
export function withoutRequestId<T>(run: () => T): T {
  return requestIds.exit(run);
}

export function currentRequestId(): string | undefined {
  return requestIds.getStore();
}
