// Owns the frame of a program: a fault at start is told in words, and ends it with 1, or the `exitCode` of the error.
import { shutdownSignal } from './shutdown-signal.js';

/**
 * Runs the program; a fault is written to standard error as its message alone. Who tells it to end while it starts is
 * heard when it has started, so that nothing it opened is left behind.
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
