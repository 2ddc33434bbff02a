// Starts the one PostgreSQL of a test run, before jest's first worker.
import { join } from 'node:path';

/** Where the teardown finds the server: both run in the same process, and share nothing else. */
interface SuiteGlobal {
  stopSuiteServer?: () => Promise<void>;
}

export default async function startSuite(): Promise<void> {
  // By its full name, because until this import nothing finds x.ts under the name x.js.
  const hooksFile = join(import.meta.dirname, 'resolve-sources.ts');
  const { sourceHooks } = (await import(hooksFile)) as typeof import('./resolve-sources.js');
  try {
    const { startSuiteServer } = await import('./suite-server.js');
    (globalThis as SuiteGlobal).stopSuiteServer = await startSuiteServer();
  } finally {
    sourceHooks.deregister();
  }
}
