// Raw values, which every source supplies: text with its origin, before conversion to types.
// Scalars stay text (`0123` keeps its zero), maps are Maps (a key `__proto__` is only a key).

export interface RawValue {
  readonly content: RawContent;
  /** As shown to operators: `environment SSO_PORT`, `config/sso.yml:12`. */
  readonly origin: string;
  /**
   * Whether it, or a part of it, was decrypted, or comes from a credential file or Vault. Such a value is never shown,
   * whatever its key.
   */
  readonly isProtected?: true;
}

/** `null`: the key has no value. */
export type RawContent = string | null | readonly RawValue[] | ReadonlyMap<string, RawValue>;

/** A dotted key with its value, which may be a tree of further keys. */
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

export function isTree(content: RawContent): content is ReadonlyMap<string, RawValue> {
  return content instanceof Map;
}

export function isList(content: RawContent): content is readonly RawValue[] {
  return Array.isArray(content);
}

/** The entry of each text in the entry's tree. */
export function leavesOf({ key, value }: RawEntry): readonly RawEntry[] {
  const { content } = value;
  if (isTree(content)) {
    return [...content].flatMap(([name, child]) =>
      leavesOf({ key: `${key}.${name}`, value: child }),
    );
  }
  if (isList(content)) {
    return content.flatMap((child, index) => leavesOf({ key: `${key}[${index}]`, value: child }));
  }
  return [{ key, value }];
}

function contentOf(json: unknown, convert: (json: unknown) => RawValue): RawContent {
  if (typeof json === 'string') return json;
  if (typeof json === 'number' || typeof json === 'boolean') return String(json);
  if (Array.isArray(json)) return json.map(convert);
  if (typeof json !== 'object' || json === null) return null;
  return new Map(Object.entries(json).map(([name, value]) => [name, convert(value)]));
}
