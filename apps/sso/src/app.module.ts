// Owns which features this deployment has: the ones every deployment has, and those its settings name.
import { Module, type DynamicModule } from '@nestjs/common';
import type { DataSource } from 'typeorm';
import { isUnavailable, pendingMigrations } from '@tessera/database';
import { HealthModule, type ReadinessCheck } from '@tessera/server';
import { CoreModule } from './core.module.js';
import type { Foundation } from './foundation.js';
import type { ModuleName } from './module-names.js';
import { RestModule } from './rest/rest.module.js';
import type { SsoSettings } from './settings.js';
import { ValidationModule } from './validation/validation.module.js';

/** A module that is not listed in `sso.modules` adds no route. */
const OPTIONAL: Readonly<Record<ModuleName, (core: DynamicModule) => DynamicModule>> = {
  rest: (core) => RestModule.forRoot(core),
};

@Module({})
export class AppModule {
  static forRoot(settings: SsoSettings, foundation: Foundation): DynamicModule {
    const core = CoreModule.forRoot(settings, foundation);
    const optional = settings.moduleNames.map((name) => OPTIONAL[name](core));
    return {
      module: AppModule,
      // The router asks one route after the other: those of tickets come first.
      imports: [
        core,
        ...optional,
        ValidationModule.forRoot(core),
        HealthModule.forRoot([databaseCheck(foundation)]),
      ],
    };
  }
}

/** How long an answer holds, in milliseconds: however many ask, the database is asked once in this time. */
const READINESS_HOLDS = 1_000;

function databaseCheck({ dataSource }: Foundation): ReadinessCheck {
  let asked = Number.NEGATIVE_INFINITY;
  let answer: Promise<string | undefined> = Promise.resolve(undefined);
  return {
    name: 'database',
    check() {
      if (performance.now() - asked >= READINESS_HOLDS) {
        asked = performance.now();
        answer = faultOf(dataSource);
      }
      return answer;
    },
  };
}

async function faultOf(dataSource: DataSource): Promise<string | undefined> {
  try {
    const pending = await pendingMigrations(dataSource);
    return pending.length === 0 ? undefined : `migrations pending: ${pending.join(', ')}`;
  } catch (error) {
    if (isUnavailable(error)) return 'unreachable';
    throw error;
  }
}
