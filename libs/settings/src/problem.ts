// Owns what is said about settings that cannot be used: one problem a line, never a secret.

/** One thing wrong with one key, or with a file. */
export interface Problem {
  /** The key or variable; absent where a file as a whole is at fault, or the message says what is. */
  readonly key?: string;
  /** Reads on from the key: `must be a whole number`. */
  readonly message: string;
  /** The offending value, only where it may be shown. */
  readonly value?: string;
  /** Where it was written: `environment SSO_PORT`, `config/sso.yml:12`, `command line`. */
  readonly origin?: string;
}

/** Keeps the first problem of each key: problems come in the order of precedence of their sources. */
export function oncePerKey(problems: Iterable<Problem>): Problem[] {
  const first = new Map<string, Problem>();
  for (const problem of problems) {
    const subject = problem.key ?? `file ${problem.origin ?? problem.message}`;
    if (!first.has(subject)) first.set(subject, problem);
  }
  return [...first.values()];
}

/**
 * A value as a problem may carry it: texts, numbers and booleans, nothing with a protected value in
 * it. The caller has made sure that the setting is no secret.
 */
export function quotable(value: unknown): { readonly value?: string } {
  if (!['string', 'number', 'boolean'].includes(typeof value)) return {};
  return /\{(?:cas-)?cipher\}/.test(String(value)) ? {} : { value: String(value) };
}

/** A text as it may be shown: passwords and tokens in URLs are not. */
export function withoutUrlPasswords(value: string): string {
  const withoutQuery = value.replace(/([?&][\w.-]+=)[^&\s]*/g, '$1…');
  // One user name and one password are told apart; whatever else stands before an @ may be a secret as a whole.
  const shown = withoutQuery.replace(/^([^@]*\/\/[^\s:@/]+:)[^@]*(?=@[^@]*$)/s, '$1…');
  return shown === withoutQuery ? withoutQuery.replace(/(:?\/{1,2}).*(?=@)/s, '$1…') : shown;
}
