// The settings of an application as a Nest module: groups by @nestjs/config, and the means to reload them.
import { Module, type DynamicModule } from '@nestjs/common';
import { ConfigModule, getConfigToken, registerAs } from '@nestjs/config';
import { type CoreSettings, LiveSettings } from '../settings/index.js';
import type { Reload } from './reload.js';

/** Injection token of the {@link Reload} of the processes of this node. */
export const RELOAD = Symbol('Reload');

/** A group of settings, injected by `@Inject(xyzConfig.KEY)` or read through `ConfigService`. */
export interface ConfigNamespace<S, G extends object> {
  readonly name: string;
  readonly KEY: string;
  readonly select: (settings: S) => G;
}

export function configNamespace<S, G extends object>(
  name: string,
  select: (settings: S) => G,
): ConfigNamespace<S, G> {
  return { name, KEY: getConfigToken(name), select };
}

@Module({})
export class SettingsModule {
  /**
   * Global: provides each namespace, `ConfigService`, {@link LiveSettings} and {@link RELOAD}.
   * A namespace is the same object before and after a reload, and shows the current settings.
   */
  static forRoot<T extends CoreSettings>(
    live: LiveSettings<T>,
    reload: Reload,
    namespaces: readonly ConfigNamespace<T, object>[],
  ): DynamicModule {
    const load = namespaces.map(({ name, select }) =>
      registerAs(name, () => currentView(() => select(live.current))),
    );
    return {
      module: SettingsModule,
      global: true,
      // Our loader has read the environment. `validate` is not used: it copies values into process.env.
      imports: [
        ConfigModule.forRoot({
          ignoreEnvFile: true,
          validatePredefined: false,
          skipProcessEnv: true,
          load,
        }),
      ],
      providers: [
        { provide: LiveSettings, useValue: live },
        { provide: RELOAD, useValue: reload },
      ],
      exports: [ConfigModule, LiveSettings, RELOAD],
    };
  }
}

/** An object whose properties are those of the current group. */
function currentView<G extends object>(current: () => G): G {
  return new Proxy({} as G, {
    get: (_, property) => Reflect.get(current(), property),
    has: (_, property) => Reflect.has(current(), property),
    ownKeys: () => Reflect.ownKeys(current()),
    getOwnPropertyDescriptor: (_, property) => {
      const descriptor = Reflect.getOwnPropertyDescriptor(current(), property);
      return descriptor && { ...descriptor, configurable: true };
    },
    set: () => false,
  });
}
