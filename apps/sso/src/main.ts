// The SSO application, under a Node that can run it: an older one is turned away before it
// loads the rest, which it fails on.
import {
  handleSighup,
  ignoreDebuggerSignal,
  leaveOutWebClient,
  muteDebugging,
  refuseOlderNode,
} from '@tessera/runtime';

refuseOlderNode();
ignoreDebuggerSignal();
muteDebugging();
leaveOutWebClient();
// A request to reload that comes from here on waits.
handleSighup();
const { runSso } = await import('./run-sso.js');
await runSso();
