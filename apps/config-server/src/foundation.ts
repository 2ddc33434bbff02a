// Owns what the application stands on, made before it takes requests: backends, closed after the last one; and what is
// made of keys and settings, and so made anew when these change.
import type { OnApplicationBootstrap, OnApplicationShutdown } from '@nestjs/common';
import type { KeyRing } from '@tessera/crypto';
import { loggerFor } from '@tessera/logging';
import type { Reload } from '@tessera/reload';
import { openKeyRing, type ReloadableResource, type LiveSettings } from '@tessera/settings';
import type { EnvironmentBackend } from './backends/environment-backend.js';
import { probeBackends } from './backends/startup-probe.js';
import { closeBackends, openBackends } from './backends/open-backends.js';
import { EnvironmentAnswers } from './environment/environment-answers.js';
import { cachedBackends } from './environment/environment.module.js';
import type { ConfigServerSettings } from './settings.js';

const log = loggerFor('config-server');

/** Made anew together: what was decrypted with keys is not answered after them. */
interface Opened {
  readonly keys: KeyRing;
  readonly answers: EnvironmentAnswers;
}

export class Foundation implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly closing = new AbortController();

  private constructor(
    private readonly opened: ReloadableResource<ConfigServerSettings, Opened>,
    /** The strongest first. */
    readonly backends: readonly EnvironmentBackend[],
  ) {}

  static async open(live: LiveSettings<ConfigServerSettings>, reload: Reload): Promise<Foundation> {
    const opened = await openBackends(live, reload);
    const backends = cachedBackends(opened, live.current.environment);
    try {
      return new Foundation(await openAnswers(live, backends), backends);
    } catch (error) {
      await closeBackends(backends);
      throw error;
    }
  }

  /** Those in force. */
  get keys(): KeyRing {
    return this.opened.value.keys;
  }

  /** Those in force. */
  get answers(): EnvironmentAnswers {
    return this.opened.value.answers;
  }

  /** Nobody waits for what is asked here. */
  onApplicationBootstrap(): void {
    void probeBackends(this.backends, this.closing.signal);
  }

  onApplicationShutdown(): Promise<void> {
    this.closing.abort();
    return closeBackends(this.backends);
  }
}

function openAnswers(
  live: LiveSettings<ConfigServerSettings>,
  backends: readonly EnvironmentBackend[],
): Promise<ReloadableResource<ConfigServerSettings, Opened>> {
  return live.derive({
    of: ({ encryption, environment }) => ({ encryption, environment }),
    files: ({ encryption }) => encryption.files,
    make: async ({ encryption, environment }, settings) => {
      const keys = await openKeyRing(encryption, { applicationName: settings.applicationName });
      warnOfKeys(keys, settings);
      const options = { backends, decryptor: keys, settings: environment };
      return { keys, answers: new EnvironmentAnswers(options) };
    },
  });
}

function warnOfKeys(keys: KeyRing, settings: ConfigServerSettings): void {
  for (const { alias, bits } of keys.weakKeys) {
    log.warn(
      { alias, bits },
      'this RSA key is too short for new values: make one of 2048 bits or more',
    );
  }
  if (settings.servesWhatSpringCannotRead) {
    log.warn(
      {},
      'values are served encrypted, and Spring decrypts what encrypt.format=spring wrote',
    );
  }
}
