// Wires the health checks.
import { Module, type DynamicModule } from '@nestjs/common';
import { TerminusModule } from '@nestjs/terminus';
import { ExpiryWatch } from './expiry-watch.js';
import { HealthController } from './health.controller.js';
import { READINESS_CHECKS, type ReadinessCheck } from './readiness-check.js';

@Module({})
export class HealthModule {
  /** @param expiries what it watches is part of the answer of readiness */
  static forRoot(checks: readonly ReadinessCheck[], expiries: ExpiryWatch): DynamicModule {
    return {
      module: HealthModule,
      imports: [TerminusModule.forRoot({ logger: false })],
      controllers: [HealthController],
      providers: [
        { provide: READINESS_CHECKS, useValue: checks },
        { provide: ExpiryWatch, useValue: expiries },
      ],
    };
  }
}
