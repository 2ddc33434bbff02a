// The config server, under a Node that can run it: an older one is turned away before it
// loads the rest, which it fails on.
import { refuseOlderNode } from '@tessera/runtime';

refuseOlderNode();
const { runConfigServer } = await import('./run-config-server.js');
await runConfigServer();
