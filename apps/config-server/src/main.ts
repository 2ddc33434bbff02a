// The entry point of the config server. It checks the version of Node before it loads code that an older Node cannot run.
import {
  handleSighup,
  ignoreDebuggerSignal,
  muteDebugging,
  refuseOlderNode,
} from '@tessera/runtime';

refuseOlderNode();
ignoreDebuggerSignal();
muteDebugging();
// A SIGHUP from here on is kept until the application can reload.
handleSighup();
const { runConfigServer } = await import('./run-config-server.js');
await runConfigServer();
