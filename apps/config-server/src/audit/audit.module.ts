import { Module } from '@nestjs/common';
import { DatabaseModule } from '../database/database.module.js';
import { ConfigAudit } from './config-audit.js';

@Module({ imports: [DatabaseModule], providers: [ConfigAudit], exports: [ConfigAudit] })
export class AuditModule {}
