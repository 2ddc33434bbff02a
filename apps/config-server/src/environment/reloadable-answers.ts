import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import type { KeyRing } from '@tessera/crypto';
import { loggerFor } from '@tessera/logging';
import { LiveSettings, openKeyRing, type ReloadableResource } from '@tessera/config';
import { Backends } from '../backends/backends.js';
import type { ConfigServerSettings } from '../settings.js';
import { EnvironmentAnswers } from './environment-answers.js';

const log = loggerFor('config-server');

interface KeyedAnswers {
  readonly keys: KeyRing;
  readonly answers: EnvironmentAnswers;
}

/**
 * The encryption keys and the answers that are decrypted with them, by the current settings. A reload replaces both
 * together: nothing decrypted with old keys is answered later.
 */
@Injectable()
export class ReloadableAnswers implements OnModuleInit {
  private current: ReloadableResource<ConfigServerSettings, KeyedAnswers> | undefined;

  constructor(
    @Inject(LiveSettings) private readonly live: LiveSettings<ConfigServerSettings>,
    private readonly backends: Backends,
  ) {}

  async onModuleInit(): Promise<void> {
    this.current = await this.live.derive({
      of: ({ encryption, environment }) => ({ encryption, environment }),
      files: ({ encryption }) => encryption.files,
      make: async ({ encryption, environment }, settings) => {
        const keys = await openKeyRing(encryption, { applicationName: settings.applicationName });
        logKeyWarnings(keys, settings);
        const { all: backends } = this.backends;
        const answers = new EnvironmentAnswers({
          backends,
          decryptor: keys,
          settings: environment,
        });
        return { keys, answers };
      },
    });
  }

  get keys(): KeyRing {
    return this.value.keys;
  }

  get answers(): EnvironmentAnswers {
    return this.value.answers;
  }

  private get value(): KeyedAnswers {
    if (this.current === undefined) throw new Error('the answers are not initialised');
    return this.current.value;
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
