// The settings of an application as a Nest module: groups by @nestjs/config, and the means to reload them.
import { Module, type DynamicModule } from '@nestjs/common';
import { ConfigModule, getConfigToken, registerAs } from '@nestjs/config';
import type { ExplainedCurrentSetting } from '../settings/index.js';
import type { Reload } from './reload.js';

/** Injection token of the {@link Reload} of the processes of this node. */
export const RELOAD = Symbol('Reload');

/** Injection token of a function that returns the current settings for display, secrets masked. */
export const EXPLAIN_SETTINGS = Symbol('ExplainSettings');

/** Injection token of whether no application of this process has started before. */
export const IS_FIRST_APPLICATION = Symbol('IsFirstApplication');

export type ExplainSettings = () => readonly ExplainedCurrentSetting[];

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

export interface SettingsModuleOptions<T> {
  readonly namespaces: readonly ConfigNamespace<T, object>[];
  readonly reload: Reload;
  readonly explain: ExplainSettings;
  readonly isFirst: boolean;
}

@Module({})
export class SettingsModule {
  /** Global: provides each namespace, `ConfigService`, and the tokens above. */
  static forRoot<T extends object>(
    settings: T,
    { namespaces, reload, explain, isFirst }: SettingsModuleOptions<T>,
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
      providers: [
        { provide: RELOAD, useValue: reload },
        { provide: EXPLAIN_SETTINGS, useValue: explain },
        { provide: IS_FIRST_APPLICATION, useValue: isFirst },
      ],
      exports: [ConfigModule, RELOAD, EXPLAIN_SETTINGS, IS_FIRST_APPLICATION],
    };
  }
}
