// Keeps Node's debugger closed to signals: by default SIGUSR1 opens it on 127.0.0.1:9229, to every local user.

/**
 * Option for each Node program that is started. It holds from the first moment of the process.
 *
 * @see https://nodejs.org/api/cli.html#--disable-sigusr1
 */
export const NO_DEBUGGER_BY_SIGNAL = '--disable-sigusr1';

/** For a program that was started without the option: a listener takes the place of Node's own handler. */
export function ignoreDebuggerSignal(): void {
  process.on('SIGUSR1', () => {});
}
