import { Module } from '@nestjs/common';
import { DatabaseModule } from '../database/database.module.js';
import { Backends } from './backends.js';

@Module({ imports: [DatabaseModule], providers: [Backends], exports: [Backends] })
export class BackendsModule {}
