// Owns the wiring of webhooks.
import { Module, type DynamicModule } from '@nestjs/common';
import type { Secret } from '@tessera/settings';
import type { EnvironmentBackend } from '../backends/environment-backend.js';
import { MonitorController } from './monitor.controller.js';
import { WEBHOOK, type Webhook } from './webhook.js';

export interface MonitorOptions {
  readonly backends: readonly EnvironmentBackend[];
  /** None, or an empty one: then there is no such route, as where nobody has asked for one. */
  readonly secret: Secret | undefined;
}

@Module({})
export class MonitorModule {
  /** Import it before environments, which take every path. */
  static forRoot({ backends, secret }: MonitorOptions): DynamicModule {
    if (secret === undefined || secret.reveal() === '') return { module: MonitorModule };
    const webhook: Webhook = { backends, secret };
    return {
      module: MonitorModule,
      controllers: [MonitorController],
      providers: [{ provide: WEBHOOK, useValue: webhook }],
    };
  }
}
