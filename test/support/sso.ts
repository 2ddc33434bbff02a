// Runs the SSO application in this process, on a new database and a free port.
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { INestApplication } from '@nestjs/common';
import { type Reload, reloadOf, type ReloadOutcome, ReloadableSettings } from '@tessera/config';
import {
  type NewService,
  RegisteredServiceEntity,
  ServiceRegistry,
  ServiceStore,
} from '@tessera/services';
import { ExpiryWatch, type Listener } from '@tessera/server';
import { TicketRegistry } from '@tessera/tickets';
import { UserAccount } from '@tessera/accounts';
import { SsoHost } from '../../apps/sso/src/process/sso-host.js';
import { SsoSettings } from '../../apps/sso/src/settings/sso-settings.js';
import { createTestDatabase, type TestDatabase } from './database.js';
import { http, type Reply, urlOf } from './http.js';
import { DatabaseProxy } from './tcp-proxy.js';

export const APP = 'https://app.example.org/';
const APP_SERVICE: NewService = {
  serviceId: '^https://app\\.example\\.org/.*',
  name: 'app',
  attributeRelease: { kind: 'all' },
};

export interface Sso {
  /** URL that it listens on. It differs from the configured base URL, so that tests notice a confusion. */
  readonly url: string;
  readonly application: INestApplication;
  readonly database: TestDatabase;
  /** Proxy between it and the database. */
  readonly databaseProxy: DatabaseProxy;
  readonly tickets: TicketRegistry;
  /** Reloads the registered services from the database at once. */
  refreshServices(): Promise<void>;
  /** Logs a warning for certificates and revocation lists that expire soon. */
  checkExpiry(): void;
  /** Writes a settings file, without a reload. */
  writeSettings(name: string, content: string): Promise<void>;
  /** Reloads the settings files. */
  reload(): Promise<ReloadOutcome>;
  /** Replaces the settings in `sso.yml` and reloads. @param settings by key */
  reconfigure(settings: Readonly<Record<string, unknown>>): Promise<ReloadOutcome>;
  /** Logs in over REST. @returns the id of the TGT */
  login(username?: string, password?: string): Promise<string>;
  /** Grants an ST over REST. @returns its id */
  grant(tgt: string, service?: string): Promise<string>;
  close(): Promise<void>;
}

export interface SsoOptions {
  /** As on the command line, which overrides files. */
  readonly settings?: readonly string[];
  /** Settings files by name, as `sso.yml`. */
  readonly files?: Readonly<Record<string, string>>;
  /** Registered before the start, in addition to the one for APP. */
  readonly services?: readonly NewService[];
}

export const BASE_URL = 'https://sso.example.org:8443/cas';

export async function startSso(options: SsoOptions = {}): Promise<Sso> {
  const entities = [RegisteredServiceEntity, UserAccount];
  const database = await createTestDatabase({ entities });
  const store = ServiceStore.of(database.dataSource);
  for (const service of [APP_SERVICE, ...(options.services ?? [])]) await store.add(service);
  const databaseProxy = new DatabaseProxy(database.url);
  await databaseProxy.set('open');
  const closeOthers = async (): Promise<void> => {
    await databaseProxy.close();
    await database.drop();
  };
  const { host, ...files } = await create(databaseProxy.url, options).catch(
    async (error: unknown) => {
      await closeOthers();
      throw error;
    },
  );
  const url = `${files.address}/cas`;
  return {
    url,
    get application() {
      return host.application;
    },
    database,
    databaseProxy,
    get tickets() {
      return host.application.get(TicketRegistry, { strict: false });
    },
    refreshServices: () => host.application.get(ServiceRegistry).refresh(),
    checkExpiry: () => host.application.get(ExpiryWatch, { strict: false }).warn(new Date()),
    writeSettings: files.write,
    reload: files.reload,
    async reconfigure(settings) {
      await files.write('sso.yml', JSON.stringify(settings));
      return files.reload();
    },
    async login(username = 'casuser', password = 'Mellon') {
      const form = { username, password };
      const { body } = await expectStatus(
        201,
        http('POST', url, '/v1/tickets', { form, headers: { accept: 'text/plain' } }),
      );
      return body;
    },
    async grant(tgt, service = APP) {
      const { body } = await expectStatus(
        200,
        http('POST', url, `/v1/tickets/${tgt}`, { form: { service } }),
      );
      return body;
    },
    async close() {
      await files.close();
      await closeOthers();
      await files.remove();
    },
  };
}

async function create(databaseUrl: string, { settings = [], files = {} }: SsoOptions) {
  const directory = await mkdtemp(join(tmpdir(), 'sso-'));
  await mkdir(join(directory, 'config'));
  const write = (name: string, content: string) =>
    writeFile(join(directory, 'config', name), content);
  const defaults = {
    'sso.base-url': BASE_URL,
    'sso.services.import': '',
    'management.port': 0,
    // Without `oidc`, whose first start makes keys.
    'sso.modules': 'login,rest,rest-services',
  };
  const all = { 'application.yml': JSON.stringify(defaults), ...files };
  for (const [name, content] of Object.entries(all)) await write(name, content);
  const remove = () => rm(directory, { recursive: true });
  try {
    const live = await ReloadableSettings.load(SsoSettings, {
      application: 'sso',
      env: {},
      directory,
      credentialDirectories: [],
      argv: ['--profiles.active=dev', `--database.url=${databaseUrl}`, ...settings],
    });
    const running = await hostSso(live);
    return { ...running, write, remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

export type HostedSso = Awaited<ReturnType<typeof hostSso>>;

/** Runs the application in this process, as the program does, and listens on a free port. */
export async function hostSso(
  live: ReloadableSettings<SsoSettings>,
  wrapped = (reload: Reload): Reload => reload,
) {
  const { tls, managementServer } = live.current;
  const sso = new SsoHost(live);
  const reload = wrapped(reloadOf(live, (next) => sso.prepare(next)));
  const host = await sso.start(reload);
  const { public: listener, management } = sso.listeners;
  await listen(listener, 0);
  if (management) await listen(management, managementServer.port);
  const url = urlOf(host.application);
  return {
    host,
    address: tls.isOn ? url.replace('http:', 'https:') : url,
    reload: (reason = 'test') => reload(reason),
    async close() {
      for (const each of [listener, management]) {
        each?.server.close();
        each?.server.closeAllConnections();
      }
      await host.close();
    },
  };
}

async function listen({ server }: Listener, port: number): Promise<void> {
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
}

async function expectStatus(status: number, sent: Promise<Reply>): Promise<Reply> {
  const reply = await sent;
  if (reply.status !== status) {
    throw new Error(`${reply.status} instead of ${status}: ${reply.body}`);
  }
  return reply;
}
