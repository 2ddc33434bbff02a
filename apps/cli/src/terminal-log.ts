// Where the log of a command goes. What a person at a terminal asked for is answered in words; the
// log is for what goes wrong beside.
import { configureLogging } from '@tessera/logging';

export function logToTerminal(): void {
  configureLogging({
    application: 'tessera',
    levels: { root: 'warn' },
    pretty: process.stderr.isTTY,
    write: (line) => process.stderr.write(`${line}\n`),
  });
}
