// The main function of a program: writes a startup error to standard error and exits.
import { shutdownSignal } from './shutdown-signal.js';

/**
 * Runs the program. An error is written as its message alone, and the process exits with the error's `exitCode`, or 1.
 * A shutdown request during the start takes effect after it, so that nothing it opened is left behind.
 */
export async function run(program: string, main: () => Promise<void>): Promise<void> {
  shutdownSignal();
  try {
    await main();
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    process.stderr.write(`${program}: ${message}\n`);
    const { exitCode } = error as { readonly exitCode?: number };
    process.exit(exitCode ?? 1);
  }
}
