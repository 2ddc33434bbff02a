import { Module } from '@nestjs/common';
import { BackendsModule } from '../backends/backends.module.js';
import { ReloadableAnswers } from './reloadable-answers.js';

/** Has no controller, so that a module may import it before the routes of environments. */
@Module({
  imports: [BackendsModule],
  providers: [ReloadableAnswers],
  exports: [ReloadableAnswers],
})
export class AnswersModule {}
