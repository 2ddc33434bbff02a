// Binds @nestjs/throttler to our settings, client addresses and storage.
import type { IncomingMessage } from 'node:http';
import {
  Module,
  type DynamicModule,
  type FactoryProvider,
  type ModuleMetadata,
} from '@nestjs/common';
import { ThrottlerModule, type ThrottlerStorage } from '@nestjs/throttler';
import { limitNameOf, type RateLimits } from './rate-limit.guard.js';

export interface RateLimitOptions {
  readonly limits: RateLimits;
  /** The client address, or the part of it that one client cannot choose. */
  readonly addressOf: (request: IncomingMessage) => string;
  readonly storage: ThrottlerStorage;
}

export type RateLimitAsyncOptions = Pick<ModuleMetadata, 'imports'> &
  Pick<FactoryProvider<RateLimitOptions>, 'inject' | 'useFactory'>;

@Module({})
export class RateLimitModule {
  /** For the routes that `@RateLimit(name)` marks. */
  static forRootAsync({
    imports = [],
    inject = [],
    useFactory,
  }: RateLimitAsyncOptions): DynamicModule {
    const throttler = ThrottlerModule.forRootAsync({
      imports,
      inject,
      useFactory: async (...dependencies: unknown[]) => {
        const { limits, addressOf, storage } = await useFactory(...dependencies);
        return {
          throttlers: [
            {
              ttl: limits.window,
              limit: (context) => limits.requests[limitNameOf(context)] ?? 0,
              skipIf: (context) => !limits.requests[limitNameOf(context)],
            },
          ],
          getTracker: (request) => addressOf(request as IncomingMessage),
          // The limits are no part of the protocol.
          setHeaders: false,
          storage,
        };
      },
    });
    return { module: RateLimitModule, imports: [throttler] };
  }
}
