// Violations of settings: as rules yield them, and as they are reported.

/** What is wrong with a value. Both texts continue the key: `is required in profile production`. */
export interface ViolationText {
  /** May quote the value. */
  readonly message: string;
  /** The same text without any part of the value, for protected values. Absent if `message` quotes nothing. */
  readonly rule?: string;
}

/** A violated rule between settings, as `check()` yields it. */
export interface Violation extends ViolationText {
  readonly key: string;
  /** Other keys whose values the message quotes. */
  readonly quotes?: readonly string[];
}

export interface ActiveProfiles {
  isActive(profile: string): boolean;
}

/** A violation of one key, or an error in a file, as it is reported: one a line, never with a secret. */
export interface ReportedViolation {
  /** The key or variable; absent if the violation concerns a whole file, or the message names its subject. */
  readonly key?: string;
  /** Continues the key: `must be a whole number`. */
  readonly message: string;
  /** The invalid value; absent if it must not be shown. */
  readonly value?: string;
  /** Where the value was written: `environment SSO_PORT`, `config/sso.yml:12`, `command line`. */
  readonly origin?: string;
}

/** Keeps the first violation of each key. Violations are ordered by the precedence of their sources. */
export function firstPerKey(violations: Iterable<ReportedViolation>): ReportedViolation[] {
  const first = new Map<string, ReportedViolation>();
  for (const violation of violations) {
    const subject = violation.key ?? `file ${violation.origin ?? violation.message}`;
    if (!first.has(subject)) first.set(subject, violation);
  }
  return [...first.values()];
}

/**
 * The value for a report: texts, numbers and booleans without protected values in them. The caller makes sure that the
 * setting is not a secret.
 */
export function quotable(value: unknown): { readonly value?: string } {
  if (!['string', 'number', 'boolean'].includes(typeof value)) return {};
  return /\{(?:cas-)?cipher\}/.test(String(value)) ? {} : { value: String(value) };
}

/** Masks passwords and tokens in URLs. */
export function withoutUrlPasswords(value: string): string {
  const withoutQuery = value.replace(/([?&][\w.-]+=)[^&\s]*/g, '$1…');
  // Only `user:password@` is recognised; any other text before an @ is masked as a whole.
  const shown = withoutQuery.replace(/^([^@]*\/\/[^\s:@/]+:)[^@]*(?=@[^@]*$)/s, '$1…');
  return shown === withoutQuery ? withoutQuery.replace(/(:?\/{1,2}).*(?=@)/s, '$1…') : shown;
}
