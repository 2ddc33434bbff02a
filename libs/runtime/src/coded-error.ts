/** The base of this project's errors: a stable code, a message, and a private cause for the log. */
export class CodedError<Code extends string = string> extends Error {
  constructor(
    readonly code: Code,
    message: string,
    cause?: unknown,
  ) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = new.target.name;
  }

  /** Whether the same call may succeed later. */
  get isTemporary(): boolean {
    return false;
  }
}
