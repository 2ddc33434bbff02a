// Owns the wiring of module `rest`.
import { Module, type DynamicModule } from '@nestjs/common';
import { TicketsController } from './tickets.controller.js';

@Module({})
export class RestModule {
  /** @param core the module that provides tickets, authentication and settings */
  static forRoot(core: DynamicModule): DynamicModule {
    return { module: RestModule, imports: [core], controllers: [TicketsController] };
  }
}
