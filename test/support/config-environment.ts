// Serves the environment endpoints of the config server from given backends, on a free port.
import { createApplication } from '@tessera/server';
import type { EnvironmentBackend } from '../../apps/config-server/src/backends/environment-backend.js';
import type { Callers } from '../../apps/config-server/src/callers/callers.js';
import { EnvironmentAnswers } from '../../apps/config-server/src/environment/environment-answers.js';
import {
  cachedBackends,
  EnvironmentModule,
} from '../../apps/config-server/src/environment/environment.module.js';
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
  const module = EnvironmentModule.forRoot({
    answers: () => answers,
    callers: callers ?? { admit: () => Promise.resolve('anybody') },
  });
  const app = await createApplication(module, { contextPath: '', isTemporary: () => false });
  await app.listen(0, '127.0.0.1');
  const url = urlOf(app);
  return { url, port: Number(new URL(url).port), close: () => app.close() };
}

function decryptWith(plaintext: string | undefined): Promise<Buffer> {
  return plaintext === undefined
    ? Promise.reject(new Error('Text not encrypted with this key'))
    : Promise.resolve(Buffer.from(plaintext));
}
