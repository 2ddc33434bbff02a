// A fault that the person at the terminal can do something about: said in one line, exit code 1.

export class CliError extends Error {
  override readonly name = 'CliError';

  constructor(
    message: string,
    readonly exitCode = 1,
  ) {
    super(message);
  }
}
