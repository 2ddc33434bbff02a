// Validation rules for the fields of a service definition.

/** Takes a violation: what the value, or its entry `key`, must be instead. */
export type Report = (reason: string, key?: string) => void;

/** Validates a value of any type. The result is meaningless where a violation was reported. */
export type Rule<T> = (value: unknown, report: Report) => T;

/** Control characters, and those that change the direction of text on a terminal or page. */
const FORBIDDEN = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u;
const FORBIDDEN_IN_MULTILINE = /(?![\t\n\r])[\p{Cc}\u202a-\u202e\u2066-\u2069]/u;

interface TextLimits {
  readonly minLength?: number;
  readonly maxLength: number;
  readonly multiline?: boolean;
}

export function text({ minLength = 0, maxLength, multiline = false }: TextLimits): Rule<string> {
  return (value, report) => {
    if (typeof value !== 'string') report('must be a text');
    else if (value.length < minLength) report('must not be empty');
    else if (value.length > maxLength) report(`must have at most ${maxLength} characters`);
    else if (
      (multiline ? FORBIDDEN_IN_MULTILINE : FORBIDDEN).test(value) ||
      !value.isWellFormed()
    ) {
      report('must not contain control characters');
    }
    return textOrEmpty(value);
  };
}

/** An object may have a member `toString` that is no function. */
export function textOrEmpty(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

export function integer(min: number, max: number): Rule<number> {
  return (value, report) => {
    const fits = typeof value === 'number' && Number.isInteger(value);
    if (!fits || value < min || value > max) report(`must be an integer, ${min} to ${max}`);
    return typeof value === 'number' ? value : min;
  };
}

export const bool: Rule<boolean> = (value, report) => {
  if (typeof value !== 'boolean') report('must be true or false');
  return value === true;
};

export function oneOf<T extends string>(...choices: readonly T[]): Rule<T> {
  return (value, report) => {
    const chosen = choices.find((choice) => choice === value);
    if (chosen === undefined) report(`must be ${choices.join(' or ')}`);
    return chosen ?? (choices[0] as T);
  };
}

export function listOf<T>(entry: Rule<T>, maxLength: number): Rule<readonly T[]> {
  return (value, report) => {
    if (!Array.isArray(value) || value.length === 0 || value.length > maxLength) {
      report(`must be a list of 1 to ${maxLength} entries`);
      return [];
    }
    return value.map((each: unknown) => entry(each, report));
  };
}

/** A record with names as keys. Any text may be a name. */
export function recordOf<T>(entry: Rule<T>, maxEntries: number): Rule<Readonly<Record<string, T>>> {
  const name = text({ minLength: 1, maxLength: 255 });
  return (value, report) => {
    if (!isRecord(value)) {
      report('must be a map');
      return {};
    }
    const entries = Object.entries(value);
    if (entries.length > maxEntries) report(`must have at most ${maxEntries} entries`);
    return Object.fromEntries(
      entries.map(([key, each]) => {
        name(key, (reason) => report(`has a name that ${reason}`));
        return [
          key,
          entry(each, (reason, inner) => report(reason, inner ? `${key}.${inner}` : key)),
        ];
      }),
    );
  };
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
