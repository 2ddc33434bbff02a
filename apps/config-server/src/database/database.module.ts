import { Module } from '@nestjs/common';
import { SharedDatabase } from './shared-database.js';

@Module({ providers: [SharedDatabase], exports: [SharedDatabase] })
export class DatabaseModule {}
