// The built SSO as a process with one user, services of either dialect, and a proxy that can cut its database off.
import { expect } from '@jest/globals';
import { RegisteredServiceEntity, ServiceStore } from '@tessera/services';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { http } from '../support/http.js';
import { startNode } from '../support/sso-node.js';
import { DatabaseProxy } from '../support/tcp-proxy.js';
import { until } from '../support/until.js';
import type { TlsFiles } from './tls-files.js';

/** Characters that XML, forms and encodings must escape. */
export const USER = `o'hara <&"> Zoë 😀`;
export const PASSWORD = 'Mellon & <Moria>';
const ATTRIBUTES = {
  mail: ['ohara@example.org'],
  displayName: ['Zoë <O’Hara> & Co ]]> 😀'],
  memberOf: ['staff', 'a&b', '<admin>'],
};

/** All released attributes, with those that the protocol adds. */
export const RELEASED = {
  ...ATTRIBUTES,
  authenticationDate: [expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)],
  isFromNewLogin: ['true'],
  longTermAuthenticationRequestTokenUsed: ['false'],
  credentialType: ['UsernamePasswordCredential'],
  authenticationMethod: ['static'],
  successfulAuthenticationHandlers: ['static'],
  samlAuthenticationStatementAuthMethod: ['urn:oasis:names:tc:SAML:1.0:am:password'],
};

/** As clients read them from XML: one value gives a string, several give a list. */
export const RELEASED_IN_XML = Object.fromEntries(
  Object.entries(RELEASED).map(([name, values]) => [
    name,
    values.length === 1 ? values[0] : values,
  ]),
);

export type Dialect = 'documented' | 'apereo';

/** A URL of the registered service with this dialect; undefined for the service without a dialect. */
export function serviceOf(dialect: Dialect | undefined): string {
  return `https://${dialect ?? 'plain'}.example.org/app?a=1&b=<ü>`;
}

export interface RunningService {
  /** Ends in a slash, which python-cas requires. */
  readonly url: string;
  readonly database: TestDatabase;
  /** Logs the user in over REST and gets a service ticket. */
  ticketFor(service: string): Promise<string>;
  /** Calls `run` while the database is unreachable, then waits until the SSO is ready. */
  withoutDatabase<T>(run: () => Promise<T>): Promise<T>;
  stop(): Promise<void>;
}

/**
 * @param tls for https; also for calls to services
 * @param more settings
 */
export async function startService(
  dialect: Dialect,
  tls?: TlsFiles,
  more: readonly string[] = [],
): Promise<RunningService> {
  const database = await createTestDatabase({ entities: [RegisteredServiceEntity] });
  await registerServices(ServiceStore.of(database.dataSource));
  const databaseProxy = new DatabaseProxy(database.url);
  await databaseProxy.set('open');
  const { program, port } = await startNode(
    databaseProxy.url,
    [...settings(dialect), ...tlsSettings(tls), ...more],
    tls && { NODE_EXTRA_CA_CERTS: tls.authority },
  );
  const url = `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${port}/cas`;
  const isReady = async (): Promise<boolean> =>
    (await http('GET', url, '/health/ready')).status === 200;
  return {
    url: `${url}/`,
    database,
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
      proxyPolicy: { kind: 'pattern', pattern: '^http://127\\.0\\.0\\.1:\\d+/callback' },
      properties: dialect === undefined ? {} : { dialect },
    });
  }
  await store.add({
    serviceId: '^https?://127\\.0\\.0\\.1:\\d+/.*',
    name: 'web clients',
    attributeRelease: { kind: 'all' },
    logoutType: 'back',
    proxyPolicy: { kind: 'pattern', pattern: '^https?://127\\.0\\.0\\.1:\\d+/.*' },
  });
}

function tlsSettings(tls: TlsFiles | undefined): readonly string[] {
  if (tls === undefined) return [];
  return [`--sso.tls.certificate-file=${tls.certificate}`, `--sso.tls.key-file=${tls.key}`];
}

function settings(dialect: Dialect): readonly string[] {
  return [
    `--sso.dialect=${dialect}`,
    // A slow start of the client must not let the ticket expire.
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
