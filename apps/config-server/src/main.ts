// The config server, under a Node that can run it: an older one is turned away before it
// loads the rest, which it fails on.
import {
  handleSighup,
  ignoreDebuggerSignal,
  muteDebugging,
  refuseOlderNode,
} from '@tessera/runtime';

refuseOlderNode();
ignoreDebuggerSignal();
muteDebugging();
// A request to reload that comes from here on waits.
handleSighup();
const { runConfigServer } = await import('./run-config-server.js');
await runConfigServer();
