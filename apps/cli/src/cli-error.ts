/** An error that the user can correct: printed in one line, without a stack. The exit code is 1 by default. */
export class CliError extends Error {
  override readonly name = 'CliError';

  constructor(
    message: string,
    readonly exitCode = 1,
  ) {
    super(message);
  }
}
