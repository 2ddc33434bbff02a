// Owns the wiring of webhooks.
import { Module, type DynamicModule } from '@nestjs/common';
import { MonitorController } from './monitor.controller.js';
import { WEBHOOK, type Webhook } from './webhook.js';

@Module({})
export class MonitorModule {
  /** Import it before environments, which take every path. */
  static forRoot(webhook: Webhook): DynamicModule {
    return {
      module: MonitorModule,
      controllers: [MonitorController],
      providers: [{ provide: WEBHOOK, useValue: webhook }],
    };
  }
}
