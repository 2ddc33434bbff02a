// Owns the wiring of the health checks.
import { Module, type DynamicModule } from '@nestjs/common';
import { TerminusModule } from '@nestjs/terminus';
import { HealthController } from './health.controller.js';
import { READINESS_CHECKS, type ReadinessCheck } from './readiness-check.js';

@Module({})
export class HealthModule {
  static forRoot(checks: readonly ReadinessCheck[]): DynamicModule {
    return {
      module: HealthModule,
      imports: [TerminusModule.forRoot({ logger: false })],
      controllers: [HealthController],
      providers: [{ provide: READINESS_CHECKS, useValue: checks }],
    };
  }
}
