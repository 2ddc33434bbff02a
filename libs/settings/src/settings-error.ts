// Owns the error that reports all problems at once, one a line.
import { withoutUrlPasswords, type Problem } from './problem.js';

/** The base of this library's errors; `message` is fit for the operator's terminal. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
  readonly code = 'SETTINGS_INVALID';
  /** EX_CONFIG, for the program that ends with it. @see sysexits.h(3head) */
  readonly exitCode = 78;

  /** Of each problem one, fit for whoever may see the settings. */
  readonly lines: readonly string[];

  /** @param cause what the problems do not tell, for the log */
  constructor(
    applicationName: string,
    readonly problems: readonly Problem[],
    cause?: unknown,
  ) {
    const count = problems.length === 1 ? 'a problem' : `${problems.length} problems`;
    const lines = problems.map(describe);
    const indented = lines.map((line) => `\n  ${line}`).join('');
    const message = `${count} in the settings of ${visible(applicationName)}:${indented}`;
    super(message, cause === undefined ? undefined : { cause });
    this.lines = lines;
  }
}

function describe({ key, message, value, origin }: Problem): string {
  if (key === undefined) return visible(origin === undefined ? message : `${origin}: ${message}`);
  const found = [...(value === undefined ? [] : [quote(value)]), ...(origin ? [origin] : [])];
  return visible(`${key}: ${message}${found.length > 0 ? ` (${found.join(', ')})` : ''}`);
}

function quote(value: string): string {
  const withoutPasswords = withoutUrlPasswords(value);
  const short =
    withoutPasswords.length > 100 ? `${withoutPasswords.slice(0, 100)}…` : withoutPasswords;
  return `"${short}"`;
}

/** What would end the line or steer a terminal is written out. */
function visible(line: string): string {
  return line.replace(
    /[\p{Cc}\u2028\u2029\p{Bidi_Control}]/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
