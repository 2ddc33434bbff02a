// Owns the two health checks: is the process alive, and can it serve.
import { Controller, Get, Inject } from '@nestjs/common';
import { HealthCheck, HealthCheckService, type HealthCheckResult } from '@nestjs/terminus';
import { READINESS_CHECKS, type ReadinessCheck } from './readiness-check.js';

@Controller('health')
export class HealthController {
  constructor(
    @Inject(HealthCheckService) private readonly health: HealthCheckService,
    @Inject(READINESS_CHECKS) private readonly checks: readonly ReadinessCheck[],
  ) {}

  /** The process answers; nothing else is asked, so that a database away restarts nobody. */
  @Get('live')
  @HealthCheck()
  live(): Promise<HealthCheckResult> {
    return this.health.check([]);
  }

  /** What requests need is there: 200, else 503 naming what is not. */
  @Get('ready')
  @HealthCheck()
  ready(): Promise<HealthCheckResult> {
    return this.health.check(
      this.checks.map(({ name, check }) => async () => {
        const fault = await check();
        return fault === undefined
          ? { [name]: { status: 'up' } }
          : { [name]: { status: 'down', message: fault } };
      }),
    );
  }
}
