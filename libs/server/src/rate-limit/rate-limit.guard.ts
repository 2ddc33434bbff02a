// Limits how many requests a client address sends to a route.
import {
  applyDecorators,
  type ExecutionContext,
  Injectable,
  SetMetadata,
  UseGuards,
} from '@nestjs/common';
import { ThrottlerGuard, type ThrottlerLimitDetail } from '@nestjs/throttler';
import { AdmissionError } from '../errors/errors.js';

/** Requests of one client address in one window, by the name of a limit; 0 for no limit. */
export interface RateLimits<N extends string = string> {
  readonly requests: Readonly<Record<N, number>>;
  /** Milliseconds. */
  readonly window: number;
}

const NAME = 'rateLimit';

/** Refuses requests with {@link AdmissionError} RATE_LIMITED. */
@Injectable()
class RateLimitGuard extends ThrottlerGuard {
  protected override throwThrottlingException(
    _context: ExecutionContext,
    { timeToBlockExpire }: ThrottlerLimitDetail,
  ): Promise<void> {
    const headers = { 'Retry-After': String(Math.max(1, timeToBlockExpire)) };
    throw new AdmissionError('RATE_LIMITED', 429, 'too many requests: try again later', headers);
  }
}

/** Limits a route by the limit of this name. */
export function RateLimit(name: string): MethodDecorator {
  return applyDecorators(SetMetadata(NAME, name), UseGuards(RateLimitGuard));
}

/** The name of the limit of a route. */
export function limitNameOf(context: ExecutionContext): string {
  return String(Reflect.getMetadata(NAME, context.getHandler()));
}
