#!/usr/bin/env node
// The command line of Tessera: gives the program its arguments and streams.
import { ignoreDebuggerSignal, muteDebugging, refuseOlderNode } from '@tessera/runtime';

refuseOlderNode();
ignoreDebuggerSignal();
muteDebugging();
const { runProgram } = await import('./program.js');
const argv = process.argv.slice(2);

// `start` leaves all work, and all there is to log, to the applications: it loads nothing it can do without.
if (argv[0] !== 'start') {
  const { logToTerminal } = await import('./terminal-log.js');
  logToTerminal();
}

// `tessera user list | head` closes the pipe early: that is no fault.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  process.exit(error.code === 'EPIPE' ? 0 : 1);
});

const exitCode = await runProgram(argv, process);
if (exitCode !== 0) {
  process.exitCode = exitCode;
}
