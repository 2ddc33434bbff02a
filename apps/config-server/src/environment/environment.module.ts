import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/audit.module.js';
import { CallersModule } from '../callers/callers.module.js';
import { AnswersModule } from './answers.module.js';
import { DownloadLimiter } from './download-limiter.js';
import { EnvironmentController } from './environment.controller.js';

/** Its route matches every path: import it after all other modules with routes. */
@Module({
  imports: [AuditModule, CallersModule, AnswersModule],
  controllers: [EnvironmentController],
  providers: [{ provide: DownloadLimiter, useFactory: () => new DownloadLimiter() }],
})
export class EnvironmentModule {}
