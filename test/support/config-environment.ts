// The environment endpoints on a port of their own, over the backends a test gives them.
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Module, type DynamicModule, type INestApplication } from '@nestjs/common';
import { createApplication } from '@tessera/server';
import type { EnvironmentBackend } from '../../apps/config-server/src/backends/environment-backend.js';
import { CALLERS, type Callers } from '../../apps/config-server/src/callers/callers.js';
import { cachedBackends } from '../../apps/config-server/src/backends/backends.js';
import { EnvironmentAnswers } from '../../apps/config-server/src/environment/environment-answers.js';
import { DownloadLimiter } from '../../apps/config-server/src/environment/download-limiter.js';
import { EnvironmentController } from '../../apps/config-server/src/environment/environment.controller.js';
import { ReloadableAnswers } from '../../apps/config-server/src/environment/reloadable-answers.js';
import { EnvironmentSettings } from '../../apps/config-server/src/settings/environment-settings.js';

export interface EnvironmentServer {
  readonly url: string;
  readonly port: number;
  close(): Promise<void>;
}

export interface EnvironmentServerOptions {
  /** Stand-ins for those of the application; everybody is admitted unless told. */
  readonly callers?: Callers;
  /** The plaintext of protected texts, without `{cipher}`: in place of a key ring. */
  readonly plaintexts?: Readonly<Record<string, string>>;
  readonly settings?: Partial<EnvironmentSettings>;
}

@Module({})
class TestModule {}

export async function serveEnvironments(
  backends: readonly EnvironmentBackend[],
  { callers, plaintexts = {}, settings: given }: EnvironmentServerOptions = {},
): Promise<EnvironmentServer> {
  const settings = Object.assign(new EnvironmentSettings(), given);
  const answers = new EnvironmentAnswers({
    backends: cachedBackends(backends, settings),
    decryptor: { decrypt: (text) => decryptWith(plaintexts[text]) },
    settings,
  });
  const anybody: Callers = { admit: () => Promise.resolve('anybody') };
  const module: DynamicModule = {
    module: TestModule,
    controllers: [EnvironmentController],
    providers: [
      { provide: CALLERS, useValue: callers ?? anybody },
      { provide: ReloadableAnswers, useValue: { answers } },
      { provide: DownloadLimiter, useValue: new DownloadLimiter() },
    ],
  };
  const app = await createApplication(module, { contextPath: '', isTemporary: () => false });
  const port = await listen(app);
  return { url: `http://127.0.0.1:${port}`, port, close: () => app.close() };
}

function decryptWith(plaintext: string | undefined): Promise<Buffer> {
  return plaintext === undefined
    ? Promise.reject(new Error('Text not encrypted with this key'))
    : Promise.resolve(Buffer.from(plaintext));
}

async function listen(app: INestApplication): Promise<number> {
  await app.listen(0, '127.0.0.1');
  const server = app.getHttpServer() as Server;
  return (server.address() as AddressInfo).port;
}
