// Owns what one source says in terms of declared keys: trees taken apart, unknown keys found.
import type { Catalogue } from './catalogue.js';
import { unusedKey, type UnusedKey } from './unused-key.js';
import type { Problem } from './problem.js';
import { isTree, type RawEntry, type RawValue } from './raw-value.js';

/** Of one source: nobody reads more, and each costs a search for what was meant. */
const MOST_PROBLEMS = 100;

/** The values of one source by declared key (or member of a family). */
export interface Layer {
  readonly values: ReadonlyMap<string, RawValue>;
  readonly problems: readonly Problem[];
  readonly idle: readonly UnusedKey[];
}

/**
 * Takes trees apart down to declared keys; whatever stands at a declared key is its value, however
 * deep. Of a key given twice the later value counts. Other applications' keys are passed over, and
 * those of other servers noted.
 */
export function layerOf(
  entries: readonly RawEntry[],
  catalogue: Catalogue,
  problems: readonly Problem[] = [],
): Layer {
  const values = new Map<string, RawValue>();
  const found: Problem[] = [...problems];
  const idle: UnusedKey[] = [];
  const visit = ({ key, value }: RawEntry): void => {
    const declared = catalogue.find(key);
    if (declared && !(declared.reader.member && isTree(value.content))) {
      values.set(key, value);
    } else if (isTree(value.content)) {
      for (const [name, child] of value.content) visit({ key: `${key}.${name}`, value: child });
    } else if (catalogue.owns(key) && !(value.content === null && catalogue.isGroup(key))) {
      if (found.length < MOST_PROBLEMS) found.push(unknownKey(key, value.origin, catalogue));
    } else {
      idle.push(...unusedKey(key, value.origin, catalogue.counterpart(key)));
    }
  };
  entries.forEach(visit);
  return { values, problems: found, idle };
}

/** The problem of a key that nobody declared. Its value is never shown: it may be a secret. */
export function unknownKey(key: string, origin: string, catalogue: Catalogue): Problem {
  if (catalogue.isGroup(key)) {
    return { key, origin, message: 'is a group of settings and takes no value itself' };
  }
  const meant = catalogue.suggest(key);
  const suggestion = meant === undefined ? '' : `; did you mean ${meant}?`;
  return { key, origin, message: `is not a known setting${suggestion}` };
}

/** Of each key the value of the strongest layer. @param layers the strongest first */
export function mergeLayers(layers: readonly Layer[]): ReadonlyMap<string, RawValue> {
  return new Map(layers.toReversed().flatMap(({ values }) => [...values]));
}
