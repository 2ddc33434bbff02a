// Owns the form in which every source hands over values: text with its origin, before any typing.
// Scalars stay text (`0123` keeps its zero), maps are Maps (a key `__proto__` is only a key).

/** One value as a source gave it. */
export interface RawValue {
  readonly content: RawContent;
  /** Where it was written, for people: `environment SSO_PORT`, `config/sso.yml:12`. */
  readonly origin: string;
  /**
   * Whether it, or something in it, is a secret by where it comes from: it was decrypted, or a credential file or Vault
   * supplied it. It is never shown, whatever its key is.
   */
  readonly isProtected?: true;
}

/** `null` stands for a key that was written without a value. */
export type RawContent = string | null | readonly RawValue[] | ReadonlyMap<string, RawValue>;

/** A dotted key with its value; the value may be a tree that holds further keys. */
export interface RawEntry {
  readonly key: string;
  readonly value: RawValue;
}

type Protection = Pick<RawValue, 'isProtected'>;

/** Converts parsed JSON; numbers and booleans become their text. */
export function rawValueOf(json: unknown, origin: string, protection: Protection = {}): RawValue {
  const convert = (each: unknown): RawValue => rawValueOf(each, origin, protection);
  return { content: contentOf(json, convert), origin, ...protection };
}

/** True for a value with names of its own in it. */
export function isTree(content: RawContent): content is ReadonlyMap<string, RawValue> {
  return content instanceof Map;
}

export function isList(content: RawContent): content is readonly RawValue[] {
  return Array.isArray(content);
}

function contentOf(json: unknown, convert: (json: unknown) => RawValue): RawContent {
  if (typeof json === 'string') return json;
  if (typeof json === 'number' || typeof json === 'boolean') return String(json);
  if (Array.isArray(json)) return json.map(convert);
  if (typeof json !== 'object' || json === null) return null;
  return new Map(Object.entries(json).map(([name, value]) => [name, convert(value)]));
}
