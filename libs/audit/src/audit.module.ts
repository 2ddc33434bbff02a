import { Module, type DynamicModule, type FactoryProvider } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditEventEntity } from './audit-event.entity.js';
import { AUDIT_SOURCE, type AuditSource, AuditTrail } from './audit-store.js';

@Module({})
export class AuditModule {
  static forRootAsync(
    factory: Pick<FactoryProvider<AuditSource>, 'inject' | 'useFactory'>,
  ): DynamicModule {
    return {
      module: AuditModule,
      imports: [TypeOrmModule.forFeature([AuditEventEntity])],
      providers: [AuditTrail, { provide: AUDIT_SOURCE, ...factory }],
      exports: [AuditTrail],
    };
  }
}
