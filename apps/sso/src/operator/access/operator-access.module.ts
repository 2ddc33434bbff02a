// Identifies operators, for the routes of both listeners.
import { Module } from '@nestjs/common';
import { AuthenticationModule } from '../../authentication/authentication.module.js';
import { CoreModule } from '../../core.module.js';
import { OperatorAccess } from './operator-access.js';
import { OperatorSession } from './operator-session.js';

@Module({
  imports: [CoreModule, AuthenticationModule],
  providers: [OperatorSession, OperatorAccess],
  exports: [OperatorSession, OperatorAccess, CoreModule],
})
export class OperatorAccessModule {}
