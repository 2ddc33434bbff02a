import { Module } from '@nestjs/common';
import { Backends } from './backends.js';

@Module({ providers: [Backends], exports: [Backends] })
export class BackendsModule {}
