// The rules single fields of a definition are made of. A rule reads a value of any kind and reports
// what is wrong with it; which field has which rule is said in `service-definition.ts`.

/** Takes a fault: what the value, or the entry `key` of it, must be instead. */
export type Report = (reason: string, key?: string) => void;

/** Reads a value; what it returns for a value it reported is of no use. */
export type Rule<T> = (value: unknown, report: Report) => T;

/** Control characters, and those that reorder the text around them on a terminal or page. */
const INVISIBLE = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u;
const INVISIBLE_BUT_LINES = /(?![\t\n\r])[\p{Cc}\u202a-\u202e\u2066-\u2069]/u;

interface TextLimits {
  readonly atLeast?: number;
  readonly atMost: number;
  /** Whether the text may have several lines. */
  readonly lines?: boolean;
}

export function text({ atLeast = 0, atMost, lines = false }: TextLimits): Rule<string> {
  return (value, report) => {
    if (typeof value !== 'string') report('must be a text');
    else if (value.length < atLeast) report('must not be empty');
    else if (value.length > atMost) report(`must have at most ${atMost} characters`);
    else if ((lines ? INVISIBLE_BUT_LINES : INVISIBLE).test(value) || !value.isWellFormed()) {
      report('must not contain control characters');
    }
    return String(value);
  };
}

export function integer(least: number, most: number): Rule<number> {
  return (value, report) => {
    const fits = typeof value === 'number' && Number.isInteger(value);
    if (!fits || value < least || value > most) report(`must be an integer, ${least} to ${most}`);
    return Number(value);
  };
}

export const truth: Rule<boolean> = (value, report) => {
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

export function listOf<T>(entry: Rule<T>, most: number): Rule<readonly T[]> {
  return (value, report) => {
    if (!Array.isArray(value) || value.length === 0 || value.length > most) {
      report(`must be a list of 1 to ${most} entries`);
      return [];
    }
    return value.map((each: unknown) => entry(each, report));
  };
}

/** A record whose keys are names; any text may be a name. */
export function recordOf<T>(entry: Rule<T>, most: number): Rule<Readonly<Record<string, T>>> {
  const name = text({ atLeast: 1, atMost: 255 });
  return (value, report) => {
    if (!isRecord(value)) {
      report('must be a map');
      return {};
    }
    const entries = Object.entries(value);
    if (entries.length > most) report(`must have at most ${most} entries`);
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
