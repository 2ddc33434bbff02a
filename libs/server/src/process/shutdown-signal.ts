// Shutdown signals: SIGTERM, SIGINT, a closed terminal, a dead parent process.
import { handleSighup } from '@tessera/runtime';

/** The shutdown has to end within 10 s. */
const EXIT_TIMEOUT_MS = 9_500;
const SIGNALS = ['SIGTERM', 'SIGINT'] as const;

let shutdown: AbortController | undefined;

/**
 * A signal that a shutdown request aborts, with its reason as text. From the first call on, no request ends the process at
 * once: the caller must exit. After 9.5 s the process exits with 1.
 */
export function shutdownSignal(): AbortSignal {
  shutdown ??= listen(new AbortController());
  return shutdown.signal;
}

/** Calls `handler` with the reason when a shutdown is requested, or at once if it was requested before. */
export function onShutdown(handler: (reason: string) => void): void {
  const signal = shutdownSignal();
  if (signal.aborted) handler(String(signal.reason));
  else signal.addEventListener('abort', () => handler(String(signal.reason)), { once: true });
}

function listen(controller: AbortController): AbortController {
  const abort = (reason: string): void => {
    if (controller.signal.aborted) return;
    setTimeout(() => process.exit(1), EXIT_TIMEOUT_MS).unref();
    controller.abort(reason);
  };
  for (const signal of SIGNALS) process.on(signal, abort);
  handleSighup().onTerminalClosed(() => abort('the terminal was closed'));
  const onParentEnd = (): void => abort('the parent process ended');
  process.on('disconnect', onParentEnd);
  // The parent may have ended while this process was loading its code.
  if (process.send !== undefined && !process.connected) onParentEnd();
  return controller;
}
