// Owns what can go wrong with the program git, in words for the operator. Callers are told by BackendError.

/** Stable codes; docs/errors.md lists them. */
export type GitErrorCode = 'GIT_UNUSABLE' | 'GIT_COMMAND_FAILED' | 'GIT_COMMAND_STOPPED';

/** The message may quote what git said, and never holds a secret: git is given none to say. */
export class GitError extends Error {
  override readonly name = 'GitError';

  constructor(
    readonly code: GitErrorCode,
    message: string,
    cause?: unknown,
  ) {
    super(message, { cause });
  }
}
