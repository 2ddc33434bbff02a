// Owns the wiring of the endpoint that has settings read anew.
import {
  Module,
  type DynamicModule,
  type FactoryProvider,
  type ModuleMetadata,
} from '@nestjs/common';
import { REFRESH, type RefreshOptions } from './refresh.js';
import { RefreshController } from './refresh.controller.js';

/** Options that are made of providers of other modules. */
export type RefreshAsyncOptions = Pick<ModuleMetadata, 'imports'> &
  Pick<FactoryProvider<RefreshOptions>, 'inject' | 'useFactory'>;

@Module({})
export class RefreshModule {
  static forRoot(options: RefreshOptions): DynamicModule {
    return RefreshModule.forRootAsync({ useFactory: () => options });
  }

  static forRootAsync({ imports = [], ...factory }: RefreshAsyncOptions): DynamicModule {
    return {
      module: RefreshModule,
      imports,
      controllers: [RefreshController],
      providers: [{ provide: REFRESH, ...factory }],
    };
  }
}
