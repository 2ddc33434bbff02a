// Starts the PostgreSQL of a test run, before the first worker of jest.
import { join } from 'node:path';

/** The teardown reads it: both run in the same process but share no module. */
interface SuiteGlobal {
  stopSuiteServer?: () => Promise<void>;
}

export default async function startSuite(): Promise<void> {
  // With its extension .ts, because x.js resolves to x.ts only after this import.
  const hooksFile = join(import.meta.dirname, 'resolve-sources.ts');
  const { sourceHooks } = (await import(hooksFile)) as typeof import('./resolve-sources.js');
  try {
    const { startSuiteServer } = await import('./suite-server.js');
    (globalThis as SuiteGlobal).stopSuiteServer = await startSuiteServer();
  } finally {
    sourceHooks.deregister();
  }
}
