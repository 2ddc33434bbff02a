// Owns what an entry of the directory says of a user: the id, and the attributes under our names.
import type { LdapEntry } from './ldap-connection.js';
import type { LdapOptions } from './ldap-options.js';
import type { LdapRefusal } from './result-codes.js';

export interface LdapUser {
  /** As the directory spells it, whatever the user typed. */
  readonly id: string;
  readonly attributes: Readonly<Record<string, readonly string[]>>;
}

export type LdapVerdict =
  | { readonly accepted: LdapUser; readonly refused?: never }
  | { readonly accepted?: never; readonly refused: LdapRefusal };

type Mapping = Pick<LdapOptions, 'idAttribute' | 'attributes'>;

/** The names to ask the directory for, each in one spelling: it may answer each that it is asked for. */
export function wantedAttributes({ idAttribute, attributes }: Mapping): readonly string[] {
  const names = [idAttribute, ...Object.keys(attributes)];
  return [...new Map(names.map((name) => [name.toLowerCase(), name])).values()];
}

/** An id of several values is none: which of them is sent first may change from login to login. */
export function userOf(entry: LdapEntry, { idAttribute, attributes }: Mapping): LdapVerdict {
  const [id, another] = valuesOf(entry, idAttribute);
  if (id === undefined || another !== undefined) return { refused: 'no usable id' };
  const named = new Map<string, readonly string[]>();
  for (const [theirs, ours] of Object.entries(attributes)) {
    const values = valuesOf(entry, theirs);
    if (values.length > 0) named.set(ours, [...(named.get(ours) ?? []), ...values]);
  }
  return { accepted: { id, attributes: Object.fromEntries(named) } };
}

function valuesOf({ attributes }: LdapEntry, name: string): readonly string[] {
  return attributes.get(name.toLowerCase()) ?? [];
}
