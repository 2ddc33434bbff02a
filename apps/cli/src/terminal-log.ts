import { configureLogging } from '@tessera/logging';

/** Logs warnings of the libraries to standard error. */
export function logToTerminal(): void {
  configureLogging({
    application: 'tessera',
    levels: { root: 'warn' },
    pretty: true,
    write: (line) => process.stderr.write(`${line}\n`),
  });
}
