// Owns the built service as clients meet it: a process of its own that knows one user and services of
// either dialect, its database behind a door that a test can shut.
import { RegisteredServiceEntity, ServiceStore } from '@tessera/services';
import { createTestDatabase } from '../support/database.js';
import { DatabaseProxy } from '../support/database-proxy.js';
import { http } from '../support/http.js';
import { startNode } from '../support/sso-node.js';
import { until } from '../support/until.js';
import { ATTRIBUTES, PASSWORD, USER } from './known-user.js';

export type Dialect = 'documented' | 'apereo';

/** A URL of the registered service that states this dialect, or of the one that states none. */
export function serviceOf(dialect: Dialect | undefined): string {
  return `https://${dialect ?? 'plain'}.example.org/app?a=1&b=<ü>`;
}

export interface RunningService {
  /** Ends in a slash, as python-cas wants it. */
  readonly url: string;
  /** Logs the user in over REST and gets a service ticket. */
  ticketFor(service: string): Promise<string>;
  /** Runs what the caller does with the database out of reach; afterwards the service is ready again. */
  withoutDatabase<T>(run: () => Promise<T>): Promise<T>;
  stop(): Promise<void>;
}

export async function startService(dialect: Dialect): Promise<RunningService> {
  const database = await createTestDatabase({ entities: [RegisteredServiceEntity] });
  await registerServices(new ServiceStore(database.dataSource));
  const databaseProxy = new DatabaseProxy(database.url);
  await databaseProxy.set('open');
  const { program, port } = await startNode(databaseProxy.url, settings(dialect));
  const url = `http://127.0.0.1:${port}/cas`;
  const isReady = async (): Promise<boolean> =>
    (await http('GET', url, '/health/ready')).status === 200;
  return {
    url: `${url}/`,
    ticketFor: (service) => ticketFor(url, service),
    async withoutDatabase(run) {
      await databaseProxy.set('refuse');
      try {
        return await run();
      } finally {
        await databaseProxy.set('open');
        await until('the service is ready again', isReady);
      }
    },
    async stop() {
      await program.stop();
      await databaseProxy.close();
      await database.drop();
    },
  };
}

async function registerServices(store: ServiceStore): Promise<void> {
  for (const dialect of [undefined, 'documented', 'apereo'] as const) {
    await store.add({
      serviceId: `https://${dialect ?? 'plain'}\\.example\\.org/.*`,
      name: dialect ?? 'plain',
      attributeRelease: { kind: 'all' },
      properties: dialect === undefined ? {} : { dialect },
    });
  }
}

function settings(dialect: Dialect): readonly string[] {
  return [
    `--sso.dialect=${dialect}`,
    // A client that has to start first is no reason for a ticket to expire.
    '--sso.tickets.st.lifetime=60s',
    `--sso.authentication.static.users=${USER}::${PASSWORD}`,
    `--sso.authentication.static.attributes=${JSON.stringify({ [USER]: ATTRIBUTES })}`,
  ];
}

async function ticketFor(url: string, service: string): Promise<string> {
  const login = { username: USER, password: PASSWORD };
  const { headers } = await http('POST', url, '/v1/tickets', { form: login });
  const tgt = String(headers.location).split('/').at(-1);
  const { status, body } = await http('POST', url, `/v1/tickets/${tgt}`, { form: { service } });
  if (status !== 200) throw new Error(`no service ticket: ${status} ${body}`);
  return body;
}
