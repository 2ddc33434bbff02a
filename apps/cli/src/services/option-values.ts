// Reads the values of options as values of fields. The store validates them.

/** For commander: the values of an option that may be repeated. `before` is `false` after `--no-…`. */
export function collect(value: string, before: readonly string[] | false = []): readonly string[] {
  return [...(before || []), value];
}

/** NaN for a text that is no integer. */
export function numberOf(text: string): number {
  return /^-?\d+$/.test(text) ? Number(text) : NaN;
}

/** Undefined without the option, the default of the field after `--no-…`. */
export function valueIn<D extends object>(defaults: D) {
  return <T>(
    field: keyof D,
    given: T | false | undefined,
    read: (given: T) => unknown = (value) => value,
  ): unknown => {
    if (given === undefined) return undefined;
    return given === false ? defaults[field] : read(given);
  };
}

/** The fields that options name. The values may be invalid. */
export function givenFields<D extends object>(
  fields: Partial<Record<keyof D, unknown>>,
): Partial<D> {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given) as Partial<D>;
}
