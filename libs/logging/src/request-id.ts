// Owns the id of the request at hand, carried through whatever is awaited.
import { AsyncLocalStorage } from 'node:async_hooks';

/** Most requests leave no line behind, so their id is drawn when it is first asked for. */
interface Identity {
  id?: string;
  readonly draw: () => string;
}

const identities = new AsyncLocalStorage<Identity>();

/** Runs `run`; each line logged meanwhile, also by what it leaves running, carries the one id that `draw` gives. */
export function withRequestId<T>(draw: () => string, run: () => T): T {
  return identities.run({ draw }, run);
}

/** Runs `run` as outside any request: for what happens on its own, on a resource some request once opened. */
export function withoutRequestId<T>(run: () => T): T {
  return identities.exit(run);
}

export function currentRequestId(): string | undefined {
  const identity = identities.getStore();
  return identity && (identity.id ??= identity.draw());
}
