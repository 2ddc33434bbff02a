// `GET /metrics`, for programs of this machine and the allowed addresses.
import type { IncomingMessage } from 'node:http';
import {
  Controller,
  Get,
  Inject,
  Module,
  Req,
  ServiceUnavailableException,
  type DynamicModule,
} from '@nestjs/common';
import { loggerFor } from '@tessera/logging';
import {
  AdmissionError,
  type AddressRanges,
  Answer,
  reasonNotLocal,
  managementPath,
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

@Controller(managementPath('metrics'))
class MetricsController {
  constructor(@Inject(OPTIONS) private readonly options: MetricsOptions) {}

  @Get()
  async show(@Req() request: IncomingMessage): Promise<Answer> {
    this.admit(request);
    return new Answer(200, METRICS_TYPE, await this.read());
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

  private async read(): Promise<string> {
    try {
      return await this.options.read();
    } catch (error) {
      log.warn({ error }, 'the metrics cannot be read');
      throw new ServiceUnavailableException('a worker process did not answer in time');
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
