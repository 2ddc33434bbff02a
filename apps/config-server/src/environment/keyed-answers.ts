import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { openKeyRing } from '@tessera/config';
import type { KeyRing } from '@tessera/crypto';
import { loggerFor } from '@tessera/logging';
import { Backends } from '../backends/backends.js';
import { configServerConfig } from '../settings/namespaces.js';
import type { ConfigServerSettings } from '../settings/config-server-settings.js';
import { EnvironmentAnswers } from './environment-answers.js';

const log = loggerFor('config-server');

/** The encryption keys, and the answers that are decrypted with them. */
@Injectable()
export class KeyedAnswers implements OnModuleInit {
  /** From the initialisation on. */
  keys!: KeyRing;
  /** From the initialisation on. */
  answers!: EnvironmentAnswers;

  constructor(
    @Inject(configServerConfig.KEY) private readonly settings: ConfigServerSettings,
    @Inject(Backends) private readonly backends: Pick<Backends, 'all'>,
  ) {}

  /** @throws SettingsError with a violation for each key that cannot be used */
  async onModuleInit(): Promise<void> {
    const { encryption, environment, applicationName } = this.settings;
    this.keys = await openKeyRing(encryption, { applicationName });
    logKeyWarnings(this.keys, this.settings);
    const { all: backends } = this.backends;
    this.answers = new EnvironmentAnswers({
      backends,
      decryptor: this.keys,
      settings: environment,
    });
  }
}

function logKeyWarnings(keys: KeyRing, settings: ConfigServerSettings): void {
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
