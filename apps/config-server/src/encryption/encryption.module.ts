import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/audit.module.js';
import { CallersModule } from '../callers/callers.module.js';
import { AnswersModule } from '../environment/answers.module.js';
import { EncryptionController } from './encryption.controller.js';

@Module({
  imports: [AuditModule, CallersModule, AnswersModule],
  controllers: [EncryptionController],
})
export class EncryptionModule {}
