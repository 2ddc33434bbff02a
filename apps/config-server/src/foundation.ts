// Owns what the application stands on, made before it takes requests and closed after the last one: keys and backends.
import type { OnApplicationBootstrap, OnApplicationShutdown } from '@nestjs/common';
import type { KeyRing } from '@tessera/crypto';
import { openKeyRing } from '@tessera/settings';
import type { EnvironmentBackend } from './backends/environment-backend.js';
import { askOnce } from './backends/first-question.js';
import { closeBackends, openBackends } from './backends/open-backends.js';
import { cachedBackends } from './environment/environment.module.js';
import type { ConfigServerSettings } from './settings.js';

export class Foundation implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly closing = new AbortController();

  private constructor(
    readonly keys: KeyRing,
    /** The strongest first. */
    readonly backends: readonly EnvironmentBackend[],
  ) {}

  static async open(settings: ConfigServerSettings): Promise<Foundation> {
    const { encryption, applicationName, environment } = settings;
    const keys = await openKeyRing(encryption, { applicationName });
    const backends = await openBackends(settings);
    return new Foundation(keys, cachedBackends(backends, environment));
  }

  /** Nobody waits for what is asked here. */
  onApplicationBootstrap(): void {
    void askOnce(this.backends, this.closing.signal);
  }

  onApplicationShutdown(): Promise<void> {
    this.closing.abort();
    return closeBackends(this.backends);
  }
}
