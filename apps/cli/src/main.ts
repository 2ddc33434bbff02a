// Entry point of the program `tessera`.
import { ignoreDebuggerSignal, muteDebugging, refuseOlderNode } from '@tessera/runtime';

refuseOlderNode();
ignoreDebuggerSignal();
muteDebugging();
const { runProgram } = await import('./program.js');
const argv = process.argv.slice(2);

// `start` loads no logging, to save memory: the applications that it starts log by themselves.
if (argv[0] !== 'start') {
  // A file of its own: the build does not rewrite `@tessera/…` in an `import()`.
  const { logToTerminal } = await import('./terminal-log.js');
  logToTerminal();
}

// `tessera user list | head` closes the pipe early, which is no error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  process.exit(error.code === 'EPIPE' ? 0 : 1);
});

const exitCode = await runProgram(argv, process);
if (exitCode !== 0) {
  process.exitCode = exitCode;
}
