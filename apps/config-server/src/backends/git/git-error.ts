// Owns what can go wrong with the program git, in words for the operator. Callers are told by BackendError.
import type { GitStderr } from './git-stderr.js';

/** Stable codes; docs/errors.md lists them. */
export type GitErrorCode = 'GIT_UNUSABLE' | 'GIT_COMMAND_FAILED' | 'GIT_COMMAND_STOPPED';

/** The message is one line. It may quote what git said, and never holds a secret: git is given none to say. */
export class GitError extends Error {
  override readonly name = 'GitError';
  readonly #complaint: GitStderr | undefined;

  /** @param complaint where git ended with a fault */
  constructor(
    readonly code: GitErrorCode,
    message: string,
    complaint?: GitStderr,
  ) {
    super(message);
    this.#complaint = complaint;
  }

  /** Whether git spoke of it, be it in the message or not. */
  speaksOf(pattern: RegExp): boolean {
    return this.#complaint?.matches(pattern) ?? false;
  }
}
