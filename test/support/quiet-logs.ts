// Discards the log lines of applications inside a spec, which go to the descriptor of standard output and bypass Jest.
// `TEST_LOGS=1` shows them. A `write` that a spec passes to `configureLogging` is not affected.
import { openSync } from 'node:fs';

const STANDARD_OUTPUT = 1;

// All specs of a Jest worker share this object.
if (process.env['TEST_LOGS'] === undefined && process.stdout.fd === STANDARD_OUTPUT) {
  Object.defineProperty(process.stdout, 'fd', { value: openSync('/dev/null', 'w') });
}
