import {
  Inject,
  Module,
  type DynamicModule,
  type FactoryProvider,
  type ModuleMetadata,
  type OnModuleDestroy,
  type OnModuleInit,
} from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import type { PasswordHashing } from '@tessera/crypto';
import { Announcements } from '@tessera/database';
import { importAtStart } from './import/startup-import.js';
import type { BuiltInService } from './registered-service.js';
import { ClientSecrets } from './registry/client-secrets-store.js';
import { RegisteredServiceEntity } from './registry/registered-service.entity.js';
import { ServiceRegistry } from './registry/service-registry.js';
import { ServiceStore } from './registry/service-store.js';

export interface ServicesOptions {
  /** Milliseconds between comparisons with the database. */
  readonly pollInterval: number;
  /** Directory of service files to import at start; empty for none. */
  readonly importFrom: string;
  /** Whether the other files are imported when some are refused. */
  readonly skipUnreadable: boolean;
  readonly builtIn?: BuiltInService | undefined;
  /** Of the secrets of imported clients. */
  readonly hashing: Pick<PasswordHashing, 'hash'>;
  /** Called after an import that changed services. @param done for people: `2 added, 1 unchanged` */
  readonly imported: (path: string, done: string) => void;
}

export type ServicesAsyncOptions = Pick<ModuleMetadata, 'imports'> &
  Pick<FactoryProvider<ServicesOptions>, 'inject' | 'useFactory'>;

const OPTIONS = Symbol('ServicesOptions');

@Module({})
export class ServicesModule implements OnModuleInit, OnModuleDestroy {
  /** @param options `imports` must provide {@link Announcements} */
  static forRootAsync({ imports = [], ...factory }: ServicesAsyncOptions): DynamicModule {
    return {
      module: ServicesModule,
      imports: [TypeOrmModule.forFeature([RegisteredServiceEntity]), ...imports],
      providers: [
        { provide: OPTIONS, ...factory },
        ServiceStore,
        ClientSecrets,
        {
          provide: ServiceRegistry,
          inject: [ServiceStore, OPTIONS, Announcements],
          useFactory: (
            store: ServiceStore,
            { pollInterval, builtIn }: ServicesOptions,
            announcements: Announcements,
          ) => new ServiceRegistry(store, { pollInterval, announcements, builtIn }),
        },
      ],
      exports: [ServiceStore, ServiceRegistry, ClientSecrets],
    };
  }

  constructor(
    @Inject(OPTIONS) private readonly options: ServicesOptions,
    private readonly store: ServiceStore,
    private readonly registry: ServiceRegistry,
    private readonly secrets: ClientSecrets,
  ) {}

  async onModuleInit(): Promise<void> {
    await this.import();
    await this.registry.start();
  }

  private async import(): Promise<void> {
    const { importFrom, skipUnreadable, hashing, imported } = this.options;
    if (importFrom === '') return;
    const done = await importAtStart(this.store, importFrom, {
      skipUnreadable,
      adoptSecrets: (secrets) => this.secrets.adopt(secrets, hashing),
    });
    if (done !== undefined) imported(importFrom, done);
  }

  async onModuleDestroy(): Promise<void> {
    await this.registry.stop();
  }
}
