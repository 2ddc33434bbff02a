// @nestjs/throttler for jest, which evaluates a CommonJS package while it links the ES modules that import it: too early
// for a package that requires Nest's ES modules. The imports below are evaluated first.
import { Logger } from '@nestjs/common';
import { Reflector } from '@nestjs/core';

void [Logger, Reflector];

const throttler =
  (await import('../../node_modules/@nestjs/throttler/dist/index.js')) as typeof import('@nestjs/throttler');
export const { ThrottlerGuard, ThrottlerModule } = throttler;
