// Shutdown signals: SIGTERM, SIGINT, a closed terminal, a dead parent process. SIGTERM has a drain time, the others end it.
import { handleSighup } from '@tessera/runtime';

/** The shutdown has to end within 10 s after the drain time. */
const EXIT_TIMEOUT_MS = 9_500;
const SIGNALS = ['SIGTERM', 'SIGINT'] as const;

let shutdown: AbortController | undefined;
let readDrainTime = (): number => 0;
const drainTimeOver = Promise.withResolvers<undefined>();

/**
 * A signal that a shutdown request aborts, with its reason as text. From the first call on, no request ends the process at
 * once: the caller must exit. After the drain time and 9.5 s the process exits with 1.
 */
export function shutdownSignal(): AbortSignal {
  shutdown ??= listen(new AbortController());
  return shutdown.signal;
}

/** Whether a shutdown was requested. */
export function isShuttingDown(): boolean {
  return shutdown?.signal.aborted ?? false;
}

/** Calls `handler` with the reason when a shutdown is requested, or at once if it was requested before. */
export function onShutdown(handler: (reason: string) => void): void {
  const signal = shutdownSignal();
  if (signal.aborted) handler(String(signal.reason));
  else signal.addEventListener('abort', () => handler(String(signal.reason)), { once: true });
}

/** @param read the drain time in milliseconds, when SIGTERM arrives. Without a call it is 0. */
export function setDrainTime(read: () => number): void {
  readDrainTime = read;
}

/** Resolves when the drain time of a shutdown is over: at once after a request other than SIGTERM. */
export function untilDrainTimeIsOver(): Promise<unknown> {
  return drainTimeOver.promise;
}

function listen(controller: AbortController): AbortController {
  let drainTimer: NodeJS.Timeout | undefined;
  const endDrainTime = (): void => {
    clearTimeout(drainTimer);
    setTimeout(() => process.exit(1), EXIT_TIMEOUT_MS).unref();
    drainTimeOver.resolve(undefined);
  };
  const abort = (reason: string): void => {
    const drainTime = reason === 'SIGTERM' ? readDrainTime() : 0;
    if (drainTime === 0) endDrainTime();
    else if (!controller.signal.aborted) drainTimer = setTimeout(endDrainTime, drainTime).unref();
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
