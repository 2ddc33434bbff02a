// Stops the PostgreSQL of a test run, after the last worker of jest.

export default async function stopSuite(): Promise<void> {
  await (globalThis as { stopSuiteServer?: () => Promise<void> }).stopSuiteServer?.();
}
