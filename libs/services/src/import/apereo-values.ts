// The forms in which Apereo's service files write values: collections and objects that carry the name
// of a Java class.
import type { RelaxedJson, RelaxedObject } from './relaxed-json.js';

/** What these enumerations call having no opinion. */
const NO_OPINION = new Set(['', 'NONE', 'NOT_SET', 'UNDEFINED', 'DEFAULT']);

export function isObject(value: RelaxedJson): value is RelaxedObject {
  return value instanceof Map;
}

/** The entries of `[…]` or of `["java.util.HashSet", […]]`; undefined for anything else. */
function collectionOf(value: RelaxedJson): readonly RelaxedJson[] | undefined {
  if (!isArray(value)) return undefined;
  const [kind, entries, ...others] = value;
  const isTyped = typeof kind === 'string' && kind.startsWith('java.util.') && others.length === 0;
  return isTyped && entries !== undefined && isArray(entries) ? entries : value;
}

/** One text, or a collection of texts; undefined for anything else. */
export function textsOf(value: RelaxedJson): readonly string[] | undefined {
  const entries = typeof value === 'string' ? [value] : collectionOf(value);
  return entries?.every((entry) => typeof entry === 'string') ? entries : undefined;
}

/** The members of an object but for the name of its class. */
export function membersOf(object: RelaxedObject): readonly (readonly [string, RelaxedJson])[] {
  return [...object].filter(([name]) => name !== '@class');
}

/** The class of an object without its package; undefined for one that is not of this server. */
export function classOf(object: RelaxedObject): string | undefined {
  const name = object.get('@class');
  if (typeof name !== 'string') return undefined;
  return /^org\.(?:apereo|jasig)\.cas\.(?:\w+\.)*(\w+)$/.exec(name)?.[1];
}

/** True for a value that asks for nothing: null, false, zero, empty, or made of nothing else. */
export function saysNothing(value: RelaxedJson): boolean {
  if (value === null || value === false || value === 0) return true;
  if (typeof value === 'string') return NO_OPINION.has(value);
  if (isObject(value)) return membersOf(value).every(([, member]) => saysNothing(member));
  return collectionOf(value)?.length === 0;
}

function isArray(value: RelaxedJson): value is readonly RelaxedJson[] {
  return Array.isArray(value);
}
