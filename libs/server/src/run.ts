// Owns the frame of a program: a fault at start is told in words, and ends it with 1, or the `exitCode` of the error.
import { loggerFor } from '@tessera/logging';
import { toldToEnd } from './told-to-end.js';

/**
 * Runs the program; a fault is written to standard error as its message alone. Who tells it to end while it starts is
 * heard when it has started, so that nothing it opened is left behind.
 */
export async function run(program: string, main: () => Promise<void>): Promise<void> {
  toldToEnd();
  try {
    await main();
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    process.stderr.write(`${program}: ${message}\n`);
    const { exitCode } = error as { readonly exitCode?: number };
    process.exit(exitCode ?? 1);
  }
}

/** What the log is told of settings that are in force. */
export interface SettingsReport {
  /** Those of other servers. */
  readonly idleKeys: readonly string[];
  readonly warnings: readonly string[];
}

export function reportSettings(program: string, { idleKeys, warnings }: SettingsReport): void {
  const log = loggerFor(program);
  if (idleKeys.length > 0) log.warn({ idleKeys }, 'settings of another server do nothing here');
  for (const warning of warnings) log.warn({}, warning);
}
