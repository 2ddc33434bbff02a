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
import { productVersion } from '@tessera/runtime';
import { Answer } from '../answers/answer.js';
import { isShuttingDown } from '../process/shutdown-signal.js';
import { ExpiryModule, ExpiryWatch } from '../tls/expiry-watch.js';

export interface ReadinessCheck {
  /** Key in the report, such as `database`. */
  readonly name: string;
  /** Undefined when ready, else a public message. */
  readonly check: () => Promise<string | undefined>;
}

interface Detail {
  readonly status: 'up' | 'down';
  readonly message?: string;
  readonly expiresInSeconds?: Readonly<Record<string, number>>;
}

/** Of the files that this process was started from. */
const VERSION = productVersion();
const TYPE = 'application/json; charset=utf-8';
const HEADERS = { 'Cache-Control': 'no-cache, no-store, must-revalidate' };

/** Injection token of an application's checks. */
const READINESS_CHECKS = Symbol('READINESS_CHECKS');

@Controller('health')
class HealthController {
  constructor(
    @Inject(READINESS_CHECKS) private readonly checks: readonly ReadinessCheck[],
    private readonly expiries: ExpiryWatch,
  ) {}

  /** 200 while the process answers. A lost database restarts no process, and a shutdown is not cut short. */
  @Get('live')
  live(): Answer {
    return report('ok', {});
  }

  /** 200 when requests can be served, else 503 with the failed checks. 503 from the first moment of a shutdown. */
  @Get('ready')
  async ready(): Promise<Answer> {
    const checked = this.checks.map(async ({ name, check }) => {
      const message = await check();
      const detail: Detail = message === undefined ? { status: 'up' } : { status: 'down', message };
      return [name, detail] as const;
    });
    const details: Record<string, Detail> = Object.fromEntries(await Promise.all(checked));
    // Always up: an expired certificate does not stop requests that need none.
    const expiresInSeconds = this.expiries.secondsLeft(new Date());
    if (Object.keys(expiresInSeconds).length > 0) {
      details['certificates'] = { status: 'up', expiresInSeconds };
    }
    const isUp = Object.values(details).every(({ status }) => status === 'up');
    if (isShuttingDown()) return report('shutting_down', details);
    return report(isUp ? 'ok' : 'error', details);
  }
}

function report(
  status: 'ok' | 'error' | 'shutting_down',
  details: Readonly<Record<string, Detail>>,
): Answer {
  const those = (wanted: Detail['status']) =>
    Object.fromEntries(Object.entries(details).filter(([, each]) => each.status === wanted));
  const [info, error] = [those('up'), those('down')];
  const body = JSON.stringify({ status, version: VERSION, info, error, details });
  return new Answer(status === 'ok' ? 200 : 503, TYPE, body, HEADERS);
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
      imports: [ExpiryModule, ...imports],
      controllers: [HealthController],
      providers: [{ provide: READINESS_CHECKS, ...factory }],
    };
  }
}
