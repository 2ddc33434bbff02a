// Owns how a worker that starts learns what is in force, before it has any settings.
import cluster from 'node:cluster';
import { readToWorker, type FromWorker } from './messages.js';

/** The way to the first process: of a worker, `process`. */
export interface AskingChannel {
  send?: (message: FromWorker, callback: () => void) => unknown;
  on(event: 'message', listener: (message: unknown) => void): unknown;
  off(event: 'message', listener: (message: unknown) => void): unknown;
}

/** What to start with: the settings of the first process, or undefined in that one, which is to read them by itself. */
export async function primarySnapshot(
  channel: AskingChannel | undefined = cluster.isWorker ? process : undefined,
): Promise<string | undefined> {
  if (channel === undefined) return undefined;
  const { promise, resolve } = Promise.withResolvers<string>();
  const hear = (message: unknown): void => {
    const known = readToWorker(message);
    if (known?.reload !== 'settings') return;
    channel.off('message', hear);
    resolve(known.inForce);
  };
  channel.on('message', hear);
  // Where the way is gone, so is the first process, and this one ends.
  channel.send?.({ reload: 'starting' }, () => {});
  return promise;
}
