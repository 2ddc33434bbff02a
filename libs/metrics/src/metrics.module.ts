// `GET /metrics`, for programs of this machine and the allowed addresses.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { All, Controller, Get, Inject, Module, Req, Res, type DynamicModule } from '@nestjs/common';
import { loggerFor } from '@tessera/logging';
import {
  AdmissionError,
  type AddressRanges,
  reasonNotLocal,
  RequestError,
  send,
  text,
} from '@tessera/server';
import { METRICS_TYPE } from './metrics.js';

const log = loggerFor('metrics');

const SETTING = 'management.metrics.allowed-addresses';

export interface MetricsOptions {
  /** All metrics, in the text format of Prometheus. */
  readonly read: () => Promise<string>;
  /** Who may read them besides programs of this machine. */
  readonly allowedAddresses: AddressRanges;
}

const OPTIONS = Symbol('MetricsOptions');

@Controller('metrics')
class MetricsController {
  constructor(@Inject(OPTIONS) private readonly options: MetricsOptions) {}

  @Get()
  async show(@Req() request: IncomingMessage, @Res() response: ServerResponse): Promise<void> {
    this.admit(request);
    send(response, await this.answer());
  }

  @All()
  refuseOtherMethods(): never {
    throw new RequestError('METHOD_NOT_ALLOWED', 'Method not allowed', 'GET, HEAD');
  }

  /** @throws AdmissionError CALLER_NOT_ALLOWED */
  private admit(request: IncomingMessage): void {
    const address = request.socket.remoteAddress ?? '';
    if (this.options.allowedAddresses.contains(address)) return;
    const reason = reasonNotLocal(request);
    if (reason === undefined) return;
    log.warn({ clientAddress: address, reason }, 'a caller was refused');
    const message = `only programs of this machine may read metrics: ${reason}; ${SETTING} allows others`;
    throw new AdmissionError('CALLER_NOT_ALLOWED', 403, message);
  }

  private async answer() {
    try {
      return { status: 200, type: METRICS_TYPE, body: await this.options.read() };
    } catch (error) {
      log.warn({ error }, 'the metrics cannot be read');
      return text(503, 'a worker process did not answer in time');
    }
  }
}

@Module({})
export class MetricsModule {
  static forRoot(options: MetricsOptions): DynamicModule {
    return {
      module: MetricsModule,
      controllers: [MetricsController],
      providers: [{ provide: OPTIONS, useValue: options }],
    };
  }
}
