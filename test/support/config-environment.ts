// Serves the environment endpoints of the config server from given backends, on a free port.
import { Module, type DynamicModule } from '@nestjs/common';
import { createApplication } from '@tessera/server';
import { ConfigAudit } from '../../apps/config-server/src/audit/config-audit.js';
import type { EnvironmentBackend } from '../../apps/config-server/src/backends/environment-backend.js';
import {
  CALLERS,
  type Caller,
  type Callers,
} from '../../apps/config-server/src/callers/callers.js';
import { cachedBackends } from '../../apps/config-server/src/backends/backends.js';
import { renderError } from '../../apps/config-server/src/errors/error-renderer.js';
import { EnvironmentAnswers } from '../../apps/config-server/src/environment/environment-answers.js';
import { DownloadLimiter } from '../../apps/config-server/src/environment/download-limiter.js';
import { EnvironmentController } from '../../apps/config-server/src/environment/environment.controller.js';
import { KeyedAnswers } from '../../apps/config-server/src/environment/keyed-answers.js';
import { EnvironmentSettings } from '../../apps/config-server/src/settings/environment-settings.js';
import { urlOf } from './http.js';

export interface EnvironmentServer {
  readonly url: string;
  readonly port: number;
  close(): Promise<void>;
}

export interface EnvironmentServerOptions {
  /** In place of those of the application. By default every caller is admitted. */
  readonly callers?: Callers;
  /** Plaintexts by ciphertext, without `{cipher}`, in place of a key ring. */
  readonly plaintexts?: Readonly<Record<string, string>>;
  readonly settings?: Partial<EnvironmentSettings>;
}

export const ANYBODY: Caller = { name: undefined, address: '127.0.0.1' };

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
  const anybody: Callers = { admit: () => Promise.resolve(ANYBODY) };
  const module: DynamicModule = {
    module: TestModule,
    controllers: [EnvironmentController],
    providers: [
      { provide: CALLERS, useValue: callers ?? anybody },
      { provide: KeyedAnswers, useValue: { answers } },
      { provide: ConfigAudit, useValue: { recordRead() {} } },
      { provide: DownloadLimiter, useValue: new DownloadLimiter() },
    ],
  };
  const app = await createApplication(module, {
    contextPath: '',
    renderError,
  });
  await app.listen(0, '127.0.0.1');
  const url = urlOf(app);
  return { url, port: Number(new URL(url).port), close: () => app.close() };
}

function decryptWith(plaintext: string | undefined): Promise<Buffer> {
  return plaintext === undefined
    ? Promise.reject(new Error('Text not encrypted with this key'))
    : Promise.resolve(Buffer.from(plaintext));
}
