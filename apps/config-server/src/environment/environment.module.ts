// Owns the wiring of environments.
import { Module, type DynamicModule } from '@nestjs/common';
import type { EnvironmentBackend } from '../backends/environment-backend.js';
import { CALLERS, type Callers } from '../callers/callers.js';
import type { EnvironmentSettings } from '../settings/environment-settings.js';
import { CachedBackend } from './cached-backend.js';
import { EnvironmentController } from './environment.controller.js';
import { Environments } from './environments.js';
import { overridesSource } from './overrides.js';
import { PlainFiles } from './plain-files.js';
import { ProtectedValues, type Decryptor } from './protected-values.js';
import { RenderedForms } from './rendered-forms.js';

const MIB = 1024 * 1024;
/** Callers choose the names, and so how many environments there are: what is kept of them is bounded. */
const ANSWERS = 8 * MIB;
const ENVIRONMENTS = 12 * MIB;
const FORMS = 12 * MIB;

export interface EnvironmentModuleOptions {
  /** As {@link cachedBackends} gives them, the strongest first. */
  readonly backends: readonly EnvironmentBackend[];
  readonly decryptor: Decryptor;
  readonly callers: Callers;
  readonly settings: EnvironmentSettings;
}

/** Backends that are asked twice a second at most. Whatever refreshes backends must refresh these. */
export function cachedBackends(
  backends: readonly EnvironmentBackend[],
  { whenUnavailable }: EnvironmentSettings,
): readonly EnvironmentBackend[] {
  const capacity = Math.floor(ANSWERS / Math.max(backends.length, 1));
  return backends.map((backend) => new CachedBackend(backend, { whenUnavailable, capacity }));
}

@Module({})
export class EnvironmentModule {
  /** Its controller takes every path: import it behind all other modules with routes. */
  static forRoot(options: EnvironmentModuleOptions): DynamicModule {
    const { backends, callers, settings } = options;
    const protectedValues = settings.decrypts ? new ProtectedValues(options.decryptor) : undefined;
    const environments = new Environments({
      backends,
      overrides: overridesSource(settings.overrides),
      protectedValues,
      capacity: ENVIRONMENTS,
    });
    const files = new PlainFiles({
      backends,
      environments,
      protectedValues: settings.decryptsFiles ? protectedValues : undefined,
    });
    return {
      module: EnvironmentModule,
      controllers: [EnvironmentController],
      providers: [
        { provide: CALLERS, useValue: callers },
        { provide: Environments, useValue: environments },
        { provide: PlainFiles, useValue: files },
        { provide: RenderedForms, useValue: new RenderedForms(FORMS) },
      ],
    };
  }
}
