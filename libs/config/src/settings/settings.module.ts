// The settings of an application as a Nest module: groups by @nestjs/config.
import { Module, type DynamicModule } from '@nestjs/common';
import { ConfigModule, getConfigToken, registerAs } from '@nestjs/config';

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
  /** Global: provides each namespace, and `ConfigService`. */
  static forRoot<T extends object>(
    settings: T,
    namespaces: readonly ConfigNamespace<T, object>[],
  ): DynamicModule {
    const load = namespaces.map(({ name, select }) => registerAs(name, () => select(settings)));
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
      exports: [ConfigModule],
    };
  }
}
