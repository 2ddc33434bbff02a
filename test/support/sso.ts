// The SSO application in this process, on a database of its own and a free port.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { reloadOf, type ReloadOutcome } from '@tessera/reload';
import type { NewService } from '@tessera/services';
import { RegisteredServiceEntity, ServiceRegistry, ServiceStore } from '@tessera/services';
import { ExpiryWatch } from '@tessera/server';
import { LiveSettings } from '@tessera/settings';
import { PostgresTicketRegistry, type TicketRegistry } from '@tessera/tickets';
import { UserAccount } from '@tessera/accounts';
import { poolOf } from '@tessera/database';
import { createSso } from '../../apps/sso/src/create-sso.js';
import { SsoSettings } from '../../apps/sso/src/settings.js';
import { createTestDatabase, type TestDatabase } from './database.js';
import { http, type Reply } from './http.js';
import { DatabaseProxy } from './tcp-proxy.js';

export const APP = 'https://app.example.org/';
const APP_SERVICE: NewService = {
  serviceId: '^https://app\\.example\\.org/.*',
  name: 'app',
  attributeRelease: { kind: 'all' },
};

export interface Sso {
  /** Where it listens; its configured base URL is another, so that nobody mixes them up. */
  readonly url: string;
  readonly database: TestDatabase;
  /** What stands between it and the database. */
  readonly databaseProxy: DatabaseProxy;
  readonly tickets: TicketRegistry;
  /** Takes over what was changed behind the registry's back, without waiting to be told. */
  refreshServices(): Promise<void>;
  /** Warns of certificates and lists that expire, without waiting for the next look. */
  checkExpiry(): void;
  /** Writes a settings file, without a reload. */
  writeSettings(name: string, content: string): Promise<void>;
  /** Takes over what is in the settings files now. */
  reload(): Promise<ReloadOutcome>;
  /** Both: these settings, by their keys, take the place of those in `sso.yml`. */
  reconfigure(settings: Readonly<Record<string, unknown>>): Promise<ReloadOutcome>;
  /** Logs in over REST; the id of the new TGT. */
  login(username?: string, password?: string): Promise<string>;
  /** Gets an ST over REST. */
  grant(tgt: string, service?: string): Promise<string>;
  close(): Promise<void>;
}

export interface SsoOptions {
  /** As on the command line: they are stronger than files. */
  readonly settings?: readonly string[];
  /** Settings files by name, as `sso.yml`. */
  readonly files?: Readonly<Record<string, string>>;
  /** Registered before the start, beside the one for APP. */
  readonly services?: readonly NewService[];
}

export const BASE_URL = 'https://sso.example.org:8443/cas';

export async function startSso(options: SsoOptions = {}): Promise<Sso> {
  const entities = [RegisteredServiceEntity, UserAccount];
  const database = await createTestDatabase({ entities });
  const store = new ServiceStore(database.dataSource);
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
  const { port } = (app.getHttpServer() as Server).address() as AddressInfo;
  const url = `${live.current.tls.isOn ? 'https' : 'http'}://127.0.0.1:${port}/cas`;
  const lifetimes = () => live.current.tickets.lifetimes;
  return {
    url,
    database,
    databaseProxy,
    tickets: new PostgresTicketRegistry(poolOf(database.dataSource), { lifetimes }),
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
