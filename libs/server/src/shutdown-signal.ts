// Owns when this process is told to end. What is to be done then is for those who listen.
import { handleSighup } from '@tessera/runtime';

/** Everything has to be over 10 s after a process was told. */
const EXIT_LIMIT = 9_500;
const SIGNALS = ['SIGTERM', 'SIGINT'] as const;

let telling: AbortController | undefined;

/**
 * Aborted, with the cause in words as its reason, by SIGTERM, SIGINT, the closing of the terminal or the end of the
 * parent process. From the first call on none of these ends the process at once, so whoever calls has to: where nobody
 * has done so in time, it exits with 1.
 */
export function shutdownSignal(): AbortSignal {
  telling ??= listen(new AbortController());
  return telling.signal;
}

/** Calls `end` with the cause when this process is told to end, or at once where it was told before. */
export function onShutdown(end: (cause: string) => void): void {
  const told = shutdownSignal();
  if (told.aborted) end(String(told.reason));
  else told.addEventListener('abort', () => end(String(told.reason)), { once: true });
}

function listen(controller: AbortController): AbortController {
  const tell = (cause: string): void => {
    if (controller.signal.aborted) return;
    setTimeout(() => process.exit(1), EXIT_LIMIT).unref();
    controller.abort(cause);
  };
  for (const signal of SIGNALS) process.on(signal, tell);
  handleSighup().onTerminalClosed(() => tell('the terminal was closed'));
  const tellOfParent = (): void => tell('the parent process ended');
  process.on('disconnect', tellOfParent);
  // It may have gone while this process was still loading its code.
  if (process.send !== undefined && !process.connected) tellOfParent();
  return controller;
}
