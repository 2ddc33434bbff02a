// The SSO application, under a Node that can run it: an older one is turned away before it
// loads the rest, which it fails on.
import { refuseOlderNode } from '@tessera/runtime';

refuseOlderNode();
const { runSso } = await import('./run-sso.js');
await runSso();
