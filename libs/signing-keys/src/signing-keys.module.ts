import {
  Module,
  type DynamicModule,
  type FactoryProvider,
  type ModuleMetadata,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
  type OnModuleInit,
} from '@nestjs/common';
import { getEntityManagerToken } from '@nestjs/typeorm';
import type { EntityManager } from 'typeorm';
import { Announcements, Cleaner } from '@tessera/database';
import { loggerFor } from '@tessera/logging';
import { type KeySealingOptions, openKeySealing } from './key-sealing.js';
import { SigningKeyStore } from './signing-key-store.js';
import { SigningKeys } from './signing-keys.js';

const HOUR_MS = 3_600_000;
const OPTIONS = Symbol('KeySealingOptions');

@Module({})
export class SigningKeysModule implements OnModuleInit, OnApplicationBootstrap, OnModuleDestroy {
  private readonly cleaner: Cleaner;

  /** @param options `imports` must provide {@link Announcements} */
  static forRootAsync({
    imports = [],
    ...factory
  }: Pick<ModuleMetadata, 'imports'> &
    Pick<FactoryProvider<KeySealingOptions>, 'inject' | 'useFactory'>): DynamicModule {
    return {
      module: SigningKeysModule,
      imports: [...imports],
      providers: [
        { provide: OPTIONS, ...factory },
        {
          provide: SigningKeyStore,
          inject: [getEntityManagerToken()],
          useFactory: (manager: EntityManager) => new SigningKeyStore(manager),
        },
        {
          provide: SigningKeys,
          inject: [SigningKeyStore, OPTIONS, Announcements],
          useFactory: async (
            store: SigningKeyStore,
            options: KeySealingOptions,
            announcements: Announcements,
          ) => new SigningKeys(store, await openKeySealing(options), announcements),
        },
      ],
      exports: [SigningKeys],
    };
  }

  constructor(
    private readonly keys: SigningKeys,
    store: SigningKeyStore,
  ) {
    this.cleaner = new Cleaner({
      removeBatch: () => store.removeExpired(),
      interval: HOUR_MS,
      rows: 'signing keys',
      log: loggerFor('oidc'),
    });
  }

  async onModuleInit(): Promise<void> {
    await this.keys.start();
  }

  onApplicationBootstrap(): void {
    this.cleaner.start();
  }

  async onModuleDestroy(): Promise<void> {
    await Promise.all([this.cleaner.stop(), this.keys.stop()]);
  }
}
