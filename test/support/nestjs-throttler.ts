// Loads @nestjs/throttler in jest, which evaluates CommonJS packages while it links ES modules. That is too early for a
// package that requires the ES modules of Nest, so this file imports those first.
import { Logger } from '@nestjs/common';
import { Reflector } from '@nestjs/core';

void [Logger, Reflector];

const throttler =
  (await import('../../node_modules/@nestjs/throttler/dist/index.js')) as typeof import('@nestjs/throttler');
export const { ThrottlerGuard, ThrottlerModule } = throttler;
