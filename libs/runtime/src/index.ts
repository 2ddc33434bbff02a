// What programs ask of the process and the machine they run in. `refuseOlderNode` runs on an older Node too, before they
// load anything else: nothing here needs what that lacks.
export { ignoreDebuggerSignal, NO_DEBUGGER_BY_SIGNAL } from './debugger-signal.js';
export { fileState, fileStates } from './file-state.js';
export { handleSighup } from './sighup.js';
export { makeDirectories } from './make-directories.js';
export { refuseOlderNode } from './node-version.js';
export { onNpmExit } from './npm-parent.js';
export { childEnvironment, environmentVariable, muteDebugging } from './process-environment.js';
export { readRegularFile, type FileReading, type FileRules } from './read-regular-file.js';
export { leaveOutWebClient } from './web-client.js';
export { writePrivateFile } from './write-private-file.js';
