// Owns the wiring of environments.
import { Module, type DynamicModule } from '@nestjs/common';
import type { EnvironmentBackend } from '../backends/environment-backend.js';
import { CALLERS, type Callers } from '../callers/callers.js';
import type { EnvironmentSettings } from '../settings/environment-settings.js';
import { CachedBackend } from './cached-backend.js';
import { ANSWERS_IN_FORCE, type EnvironmentAnswers } from './environment-answers.js';
import { EnvironmentController } from './environment.controller.js';
import { DOWNLOAD_LIMITER, DownloadLimiter } from './download-limiter.js';

/** In bytes, of what all backends said: callers choose what they are asked. */
const ANSWERS = 8 * 1024 * 1024;

export interface EnvironmentModuleOptions {
  readonly answers: () => EnvironmentAnswers;
  readonly callers: Callers;
  /** One with other limits than those that callers are told of. */
  readonly filesUnderWay?: DownloadLimiter;
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
    const { answers, callers, filesUnderWay = new DownloadLimiter() } = options;
    return {
      module: EnvironmentModule,
      controllers: [EnvironmentController],
      providers: [
        { provide: CALLERS, useValue: callers },
        { provide: ANSWERS_IN_FORCE, useValue: answers },
        { provide: DOWNLOAD_LIMITER, useValue: filesUnderWay },
      ],
    };
  }
}
