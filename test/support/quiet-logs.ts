// Discards the log lines of applications that run inside a spec. They go to the descriptor of standard output, past Jest.
// `TEST_LOGS=1` shows them. A `write` in a spec's own `configureLogging` is not affected.
import { openSync } from 'node:fs';

const STANDARD_OUTPUT = 1;

// A worker of Jest runs many specs, which share this object.
if (process.env['TEST_LOGS'] === undefined && process.stdout.fd === STANDARD_OUTPUT) {
  Object.defineProperty(process.stdout, 'fd', { value: openSync('/dev/null', 'w') });
}
