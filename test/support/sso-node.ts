// Starts nodes of the built SSO as processes that share a database.
import type { DataSource } from 'typeorm';
import { UserAccount } from '@tessera/accounts';
import { connect, migrate } from '@tessera/database';
import { RegisteredServiceEntity, ServiceStore } from '@tessera/services';
import { Program } from './process.js';

/** URL of the service that {@link registerApp} registers. */
export const APP = 'https://app.example.org/';

/** Log errors, and the line with the port. */
const LOG_LEVELS = ['--logging.level.root=error', '--logging.level.server=info'];

export interface SsoNode {
  readonly program: Program;
  readonly port: number;
}

/**
 * Starts a node on a free port and waits until it listens.
 *
 * @param databaseUrl undefined if another source sets it
 * @param meanwhile what happens while it starts
 */
export async function startNode(
  databaseUrl: string | undefined,
  settings: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
  meanwhile?: (program: Program) => Promise<void>,
): Promise<SsoNode> {
  const args = [
    '--profiles.active=dev',
    ...(databaseUrl === undefined ? [] : [`--database.url=${databaseUrl}`]),
    '--sso.port=0',
    '--sso.services.import=',
    '--sso.modules=login,rest,rest-services',
    ...LOG_LEVELS,
    ...settings,
  ];
  const program = Program.start('sso', args, { env });
  await meanwhile?.(program);
  const [, port] = await program.waitForOutput(/"port":(\d+),"msg":"listening"/);
  return { program, port: Number(port) };
}

/** Registers {@link APP} in a migrated database. */
export async function registerApp(dataSource: DataSource): Promise<void> {
  await ServiceStore.of(dataSource).add({
    serviceId: '^https://app\\.example\\.org/.*',
    name: 'app',
    attributeRelease: { kind: 'all' },
  });
}

/** Migrates an empty database and registers {@link APP}. */
export async function prepareDatabase(url: string): Promise<void> {
  const entities = [RegisteredServiceEntity, UserAccount];
  const dataSource = await connect({ url, applicationName: 'test', entities });
  try {
    await migrate(dataSource);
    await registerApp(dataSource);
  } finally {
    await dataSource.destroy();
  }
}
