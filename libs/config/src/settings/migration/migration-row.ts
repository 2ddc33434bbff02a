// What becomes of a setting of Apereo CAS, Spring Boot or Spring Cloud Config.

/** How `tessera migrate` turns an old value into ours. */
export type Conversion =
  | 'same'
  | 'inverted'
  | 'list'
  | 'file'
  /** A bare number is in seconds. */
  | 'seconds'
  /** A bare number is in days. */
  | 'days'
  /** A bare number is in milliseconds. */
  | 'milliseconds'
  | 'threshold'
  | 'level'
  | 'users'
  | 'static-attributes'
  | 'base-url'
  | 'tls'
  | 'database'
  | 'vault-uri'
  | 'config-uri'
  | 'remember-me'
  | 'services'
  /** Of one directory: the name in `directories` is put into the key. */
  | 'directory'
  | 'urls'
  | 'scope'
  | 'filter'
  | 'user-dn'
  | 'name-pattern'
  | 'attributes'
  /** Of OpenID Connect. */
  | 'claims'
  | 'scopes-of-claims'
  /** Of the config server. */
  | 'native-location'
  | 'backends'
  | 'repositories'
  | 'client'
  | 'map';

/** Makes logins stricter there. */
export interface Safeguard {
  /** Continues the key. */
  readonly meaning: string;
  /** The only value that makes logins stricter. By default all do but `false` and an empty one. */
  readonly only?: string;
}

/** A row of the table. It includes all keys below its own. */
export interface MigrationRow {
  /** The key, or a prefix of keys. */
  readonly there: string;
  /**
   * Keys or groups (`sso.tls.*`) to set here instead, of which an application uses those it declares, with a note behind a
   * comma. A bare `sso`: there is no replacement.
   */
  readonly here: readonly string[];
  /** Without it, the value is to be set by hand. */
  readonly as?: Conversion;
  /** What users or operators notice when the setting is gone. */
  readonly consequence?: string;
  /** Whether it belongs to a part that this server does not have yet. */
  readonly isMissing?: true;
  readonly safeguard?: Safeguard;
}

/** A row with a replacement. */
export function renamed(
  there: string,
  here: string | readonly string[],
  as?: Conversion,
): MigrationRow {
  return { there, here: typeof here === 'string' ? [here] : here, ...(as && { as }) };
}

/** A row without replacement. */
export function left(there: string, consequence: string): MigrationRow {
  return { there, here: [], consequence };
}

/** A row of a part that is not here yet. */
export function missing(there: string, consequence: string): MigrationRow {
  return { there, here: [], consequence, isMissing: true };
}

/** A row of a setting that makes logins stricter. */
export function stricter(there: string, meaning: string, only?: string): MigrationRow {
  return { there, here: [], safeguard: only === undefined ? { meaning } : { meaning, only } };
}
