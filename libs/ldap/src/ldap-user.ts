// Maps an entry of the directory to a user: the id, and the attributes with their names for services.
import { attributeName, type LdapEntry } from './ldap-connection.js';
import type { LdapOptions } from './ldap-options.js';
import type { PasswordWarning } from './password-controls.js';
import type { LdapRefusal } from './result-codes.js';

export interface LdapUser {
  /** In the directory's spelling, not in that of the user's input. */
  readonly id: string;
  readonly attributes: Readonly<Record<string, readonly string[]>>;
}

export type LdapVerdict =
  | {
      readonly accepted: LdapUser;
      readonly password?: PasswordState | undefined;
      readonly refused?: never;
    }
  | { readonly accepted?: never; readonly password?: never; readonly refused: LdapRefusal };

/** What the directory says about a password that it has accepted. */
export interface PasswordState extends PasswordWarning {
  /** The value of the attribute that tells when it expires, in the directory's spelling. */
  readonly expiry?: string | undefined;
}

type Mapping = Pick<LdapOptions, 'idAttribute' | 'attributes' | 'passwordExpiryAttribute'>;

/** The attributes to request, each once whatever its case: servers may answer every spelling. */
export function wantedAttributes(mapping: Mapping): readonly string[] {
  const { idAttribute, attributes, passwordExpiryAttribute = [] } = mapping;
  const names = [idAttribute, ...Object.keys(attributes), passwordExpiryAttribute].flat();
  return [...new Map(names.map((name) => [name.toLowerCase(), name])).values()];
}

/**
 * Values that are not text are in Base64. Refuses an id that is not text, and one of several values, because their order
 * may change from login to login.
 */
export function userOf(
  entry: LdapEntry,
  { idAttribute, attributes, passwordExpiryAttribute = '' }: Mapping,
  warning?: PasswordWarning,
): LdapVerdict {
  const [id, another] = valuesOf(entry, idAttribute);
  if (typeof id !== 'string' || another !== undefined) return { refused: 'no usable id' };
  const named = new Map<string, readonly string[]>();
  for (const [theirs, ours] of Object.entries(attributes)) {
    const values = valuesOf(entry, theirs).map((value) =>
      typeof value === 'string' ? value : value.toString('base64'),
    );
    if (values.length > 0) named.set(ours, [...(named.get(ours) ?? []), ...values]);
  }
  const [expiry] = valuesOf(entry, passwordExpiryAttribute);
  const password = typeof expiry === 'string' ? { ...warning, expiry } : warning;
  return { accepted: { id, attributes: Object.fromEntries(named) }, password };
}

function valuesOf({ attributes }: LdapEntry, name: string): ReadonlyArray<string | Buffer> {
  return attributes.get(attributeName(name)) ?? [];
}
