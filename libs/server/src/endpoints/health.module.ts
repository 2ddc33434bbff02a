// The health checks: `/health/live` and `/health/ready`.
import {
  Controller,
  Get,
  Inject,
  Module,
  type DynamicModule,
  type FactoryProvider,
  type ModuleMetadata,
} from '@nestjs/common';
import {
  HealthCheck,
  HealthCheckService,
  TerminusModule,
  type HealthCheckResult,
  type HealthIndicatorFunction,
} from '@nestjs/terminus';
import { ExpiryModule, ExpiryWatch } from './expiry-watch.js';

export interface ReadinessCheck {
  /** Key in the report, such as `database`. */
  readonly name: string;
  /** Undefined when ready, else a public message. */
  readonly check: () => Promise<string | undefined>;
}

/** Without the second option Terminus loads `@nestjs/swagger` wherever it is installed: 134 ms of CPU at each start. */
const HEALTH_CHECK = { noCache: true, swaggerDocumentation: false };

/** Injection token of an application's checks. */
const READINESS_CHECKS = Symbol('READINESS_CHECKS');

@Controller('health')
class HealthController {
  constructor(
    private readonly health: HealthCheckService,
    @Inject(READINESS_CHECKS) private readonly checks: readonly ReadinessCheck[],
    private readonly expiries: ExpiryWatch,
  ) {}

  /** The process answers. It checks nothing else, so that a lost database restarts no process. */
  @Get('live')
  @HealthCheck(HEALTH_CHECK)
  live(): Promise<HealthCheckResult> {
    return this.health.check([]);
  }

  /** 200 when requests can be served, else 503 with the failed checks. */
  @Get('ready')
  @HealthCheck(HEALTH_CHECK)
  ready(): Promise<HealthCheckResult> {
    const checks = this.checks.map(({ name, check }) => async () => {
      const message = await check();
      return message === undefined
        ? { [name]: { status: 'up' as const } }
        : { [name]: { status: 'down' as const, message } };
    });
    return this.health.check([...checks, ...this.certificates()]);
  }

  /** Always up: an expired certificate does not stop requests that need none. */
  private certificates(): readonly HealthIndicatorFunction[] {
    const expiresInSeconds = this.expiries.secondsLeft(new Date());
    if (Object.keys(expiresInSeconds).length === 0) return [];
    return [() => ({ certificates: { status: 'up', expiresInSeconds } })];
  }
}

export type HealthAsyncOptions = Pick<ModuleMetadata, 'imports'> &
  Pick<FactoryProvider<readonly ReadinessCheck[]>, 'inject' | 'useFactory'>;

@Module({})
export class HealthModule {
  static forRoot(checks: readonly ReadinessCheck[]): DynamicModule {
    return HealthModule.forRootAsync({ useFactory: () => checks });
  }

  static forRootAsync({ imports = [], ...factory }: HealthAsyncOptions): DynamicModule {
    return {
      module: HealthModule,
      imports: [TerminusModule.forRoot({ logger: false }), ExpiryModule, ...imports],
      controllers: [HealthController],
      providers: [{ provide: READINESS_CHECKS, ...factory }],
    };
  }
}
