// Merges the attributes of several sources by one of Apereo CAS's rules.
import type { Attributes } from '@tessera/services';

/** `replace`: the last source that has an attribute; `add`: the first one; `multi-valued`: all values of all. */
export type MergeRule = 'replace' | 'add' | 'multi-valued';

type Values = readonly string[];

const MERGED: Readonly<Record<MergeRule, (before: Values, values: Values) => Values>> = {
  replace: (_before, values) => values,
  add: (before) => before,
  'multi-valued': (before, values) => [...new Set([...before, ...values])],
};

/** @param all in the order of the sources. An attribute without values counts as absent. */
export function mergedAttributes(rule: MergeRule, all: readonly Attributes[]): Attributes {
  const merged = new Map<string, Values>();
  for (const [name, values] of all.flatMap((each) => Object.entries(each))) {
    if (values.length === 0) continue;
    const before = merged.get(name);
    merged.set(name, before === undefined ? values : MERGED[rule](before, values));
  }
  return Object.fromEntries(merged);
}
