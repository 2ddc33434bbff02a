// The messages about reloads between the primary process and its workers. Other messages on the same channel are ignored.
import type { ReloadOutcome } from '../reload-outcome.js';

export type ToWorker =
  /** The current settings of the primary process, secrets included. */
  | { readonly reload: 'settings'; readonly snapshot: string }
  | { readonly reload: 'outcome'; readonly request: number; readonly outcome: ReloadOutcome };

export type FromWorker =
  /** Requests the current settings. */
  | { readonly reload: 'starting' }
  /** The worker has applied the settings of the last message after its start. */
  | { readonly reload: 'applied' }
  | { readonly reload: 'request'; readonly request: number; readonly cause: string };

/** Whether it is one of these messages. Both ends of the channel are processes of one program. */
export function isReloadMessage(message: unknown): message is ToWorker | FromWorker {
  return typeof message === 'object' && message !== null && 'reload' in message;
}
