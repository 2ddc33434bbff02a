// Runs the SSO application in this process, on a new database and a free port.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { INestApplication } from '@nestjs/common';
import { reloadOf, type ReloadOutcome, LiveSettings } from '@tessera/config';
import {
  type NewService,
  RegisteredServiceEntity,
  ServiceRegistry,
  ServiceStore,
} from '@tessera/services';
import { ExpiryWatch } from '@tessera/server';
import { TicketRegistry } from '@tessera/tickets';
import { UserAccount } from '@tessera/accounts';
import { createSso } from '../../apps/sso/src/create-sso.js';
import { SsoSettings } from '../../apps/sso/src/settings.js';
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
  const { app, live, ...files } = await create(databaseProxy.url, options).catch(
    async (error: unknown) => {
      await closeOthers();
      throw error;
    },
  );
  await app.listen(0, '127.0.0.1');
  const address = urlOf(app);
  const url = `${live.current.tls.isOn ? address.replace('http:', 'https:') : address}/cas`;
  return {
    url,
    application: app,
    database,
    databaseProxy,
    tickets: app.get(TicketRegistry, { strict: false }),
    refreshServices: () => app.get(ServiceRegistry).refresh(),
    checkExpiry: () => app.get(ExpiryWatch, { strict: false }).warn(new Date()),
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
      await app.close();
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
  const defaults = { 'sso.base-url': BASE_URL, 'sso.services.import': '' };
  const all = { 'application.yml': JSON.stringify(defaults), ...files };
  for (const [name, content] of Object.entries(all)) await write(name, content);
  const remove = () => rm(directory, { recursive: true });
  try {
    const live = await LiveSettings.load(SsoSettings, {
      application: 'sso',
      env: {},
      directory,
      credentialDirectories: [],
      argv: ['--profiles.active=dev', `--database.url=${databaseUrl}`, ...settings],
    });
    const reload = reloadOf(live);
    const app = await createSso(live, reload);
    return { app, live, write, reload: () => reload('test'), remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

async function expectStatus(status: number, sent: Promise<Reply>): Promise<Reply> {
  const reply = await sent;
  if (reply.status !== status) {
    throw new Error(`${reply.status} instead of ${status}: ${reply.body}`);
  }
  return reply;
}
