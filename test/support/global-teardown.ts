// Stops the PostgreSQL of a test run, after jest's last worker.

export default async function stopSuite(): Promise<void> {
  await (globalThis as { stopSuiteServer?: () => Promise<void> }).stopSuiteServer?.();
}
