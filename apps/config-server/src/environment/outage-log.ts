// Owns what the log says of a backend that is away: that it is, why, and that it is back. Whether it is, is found elsewhere.
import { loggerFor } from '@tessera/logging';

const logger = loggerFor('environment');

/** Callers choose the questions. */
const MOST_QUESTIONS = 1_000;

/**
 * Of one backend. A line when it is away for a reason, and one when that is over: when it answers a question that it did
 * not answer for that reason. Any other answer shows nothing, for a store may refuse one question for ever, and answer the
 * others.
 */
export class OutageLog {
  /** Why it is away, and the questions left without an answer; those that came last are left out. */
  private readonly unanswered = new Map<string, Set<string>>();

  /** @param serving what callers are given meanwhile */
  constructor(
    private readonly backend: string,
    private readonly serving: string,
  ) {}

  noteAway(question: string, error: Error): void {
    const reason = codeOf(error.cause);
    const questions = this.unanswered.get(reason);
    if (questions === undefined) {
      this.unanswered.set(reason, new Set([question]));
      logger.warn({ backend: this.backend, serving: this.serving, error }, 'a backend is away');
    } else if (questions.size < MOST_QUESTIONS) {
      questions.add(question);
    }
  }

  noteAnswered(question: string): void {
    for (const [reason, questions] of this.unanswered) {
      // Where some are left out, it may be one of those.
      if (!questions.has(question) && questions.size < MOST_QUESTIONS) continue;
      this.unanswered.delete(reason);
      logger.info({ backend: this.backend, reason }, 'a backend is back');
    }
  }
}

/** The code of an error, or of the nearest of its causes that has one; empty where none has. */
function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return '';
  const { code, cause } = error as NodeJS.ErrnoException;
  return code ?? codeOf(cause);
}
