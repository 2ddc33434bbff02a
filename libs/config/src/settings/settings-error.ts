// The error for invalid settings.
import { withoutUrlPasswords, type ReportedViolation } from './violation.js';

/** Reports all violations at once, one a line; `message` is fit for the operator's terminal. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
  readonly code = 'SETTINGS_INVALID';
  /** EX_CONFIG, the exit code of the program. @see sysexits.h(3head) */
  readonly exitCode = 78;

  /** One per violation, without secrets. */
  readonly lines: readonly string[];

  /** @param cause for the log: details that the violations leave out */
  constructor(
    applicationName: string,
    readonly violations: readonly ReportedViolation[],
    cause?: unknown,
  ) {
    const count = violations.length === 1 ? 'a problem' : `${violations.length} problems`;
    const lines = violations.map(describe);
    const indented = lines.map((line) => `\n  ${line}`).join('');
    const message = `${count} in the settings of ${visible(applicationName)}:${indented}`;
    super(message, cause === undefined ? undefined : { cause });
    this.lines = lines;
  }
}

function describe({ key, message, value, origin }: ReportedViolation): string {
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

/** Escapes characters that end the line or control a terminal. */
function visible(line: string): string {
  return line.replace(
    /[\p{Cc}\u2028\u2029\p{Bidi_Control}]/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
