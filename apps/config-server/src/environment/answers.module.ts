import { Module } from '@nestjs/common';
import { BackendsModule } from '../backends/backends.module.js';
import { KeyedAnswers } from './keyed-answers.js';

/** Has no controller, so that a module may import it before the routes of environments. */
@Module({
  imports: [BackendsModule],
  providers: [KeyedAnswers],
  exports: [KeyedAnswers],
})
export class AnswersModule {}
