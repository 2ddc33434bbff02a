// Errors of the program git, for the operator. Callers of the backend get a BackendError.
import { CodedError } from '@tessera/runtime';

/** Stable codes; docs/errors.md lists them. */
export type GitErrorCode = 'GIT_UNUSABLE' | 'GIT_COMMAND_FAILED' | 'GIT_COMMAND_STOPPED';

/** The message is one line. It may quote git's standard error, which holds no secret: git never gets one to print. */
export class GitError extends CodedError<GitErrorCode> {}

const MAX_CHARACTERS = 16_384;
const MAX_LINE_LENGTH = 300;
/** Lines that report no error, as git words them in the locale C. */
const ADVICE = /^(?:hint:|notice:|Please make sure you have the correct access|and the repository)/;

/** The standard error of a git command, shortened to one line for the log. */
export class GitStderr {
  private text = '';

  append(text: string): void {
    this.text = (this.text + text).slice(0, MAX_CHARACTERS);
  }

  /** The first line and the last two, which hold the verdicts of git and ssh. No line occurs twice. */
  toString(): string {
    const lines = [...new Set(this.lines().filter(isErrorLine).map(shortened))];
    const shown = lines.length > 3 ? [lines[0], '…', ...lines.slice(-2)] : lines;
    return shown.join('; ');
  }

  private lines(): readonly string[] {
    const lines = this.text.split(/[\r\n]+/).map((line) => line.replaceAll(/\s+/g, ' ').trim());
    // A cut line may lack the end by which a secret in it is recognised.
    return this.text.length < MAX_CHARACTERS ? lines : lines.slice(0, -1);
  }
}

/** False for frames and blank lines, with or without the prefix `remote:`. */
function isErrorLine(line: string): boolean {
  return /\p{L}/u.test(line.replace(/^remote:/, '')) && !ADVICE.test(line);
}

/** Cut between words: the masking of a password needs the whole URL, so a URL stays whole or is left out. */
function shortened(line: string): string {
  if (line.length <= MAX_LINE_LENGTH) return line;
  return line.slice(0, MAX_LINE_LENGTH).replace(/[^ ]*$/, '…');
}
