// The two health checks: is the process alive, and can it serve.
import { Controller, Get, Inject } from '@nestjs/common';
import {
  HealthCheck,
  HealthCheckService,
  type HealthCheckResult,
  type HealthIndicatorFunction,
} from '@nestjs/terminus';
import { ExpiryWatch } from './expiry-watch.js';
import { READINESS_CHECKS, type ReadinessCheck } from './readiness-check.js';

@Controller('health')
export class HealthController {
  constructor(
    @Inject(HealthCheckService) private readonly health: HealthCheckService,
    @Inject(READINESS_CHECKS) private readonly checks: readonly ReadinessCheck[],
    @Inject(ExpiryWatch) private readonly expiries: ExpiryWatch,
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
    const checks = this.checks.map(({ name, check }) => async () => {
      const fault = await check();
      return fault === undefined
        ? { [name]: { status: 'up' as const } }
        : { [name]: { status: 'down' as const, message: fault } };
    });
    return this.health.check([...checks, ...this.certificates()]);
  }

  /** Always up: requests that need no certificate are served when one has expired. */
  private certificates(): readonly HealthIndicatorFunction[] {
    const expiresInSeconds = this.expiries.secondsLeft(new Date());
    if (Object.keys(expiresInSeconds).length === 0) return [];
    return [() => ({ certificates: { status: 'up', expiresInSeconds } })];
  }
}
