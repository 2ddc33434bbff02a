// Owns the options of a directory, as its parts share them. Reading them from settings is the application's part.

/** How users are found: by a search for their entry. */
export interface SearchedUsers {
  readonly base: string;
  readonly scope: 'one' | 'sub';
  /** With `{username}` where the name belongs. */
  readonly filter: string;
  /** Who searches; absent: anonymous. */
  readonly account?: ServiceAccount | undefined;
}

/** How users are found: their names make the names of their entries. */
export interface NamedUsers {
  /** A distinguished name with `{username}` where the user's belongs. */
  readonly dn: string;
}

export interface ServiceAccount {
  readonly dn: string;
  readonly password: string;
}

/** A file, and the setting that names it, for whoever has to mend it. */
export interface SettingsFile {
  readonly setting: string;
  readonly path: string;
}

export interface LdapOptions {
  /** `ldap://host:port` or `ldaps://host:port`, in the order in which they are asked. */
  readonly urls: readonly string[];
  /** Whether TLS is demanded of `ldap://` servers. */
  readonly startTls: boolean;
  /** PEM file of the CAs that servers' certificates must come from; absent: the public ones. */
  readonly caFile?: SettingsFile | undefined;
  readonly users: SearchedUsers | NamedUsers;
  /** The attribute whose one value is the user's id. */
  readonly idAttribute: string;
  /** What a user's attributes are called here, by their names in the directory. */
  readonly attributes: Readonly<Record<string, string>>;
  /** Milliseconds for a connection and its TLS. */
  readonly connectTimeout: number;
  /** Milliseconds for all that one server has to answer for one login, connections included. */
  readonly timeout: number;
  /** Milliseconds for which a server that is away is passed by. */
  readonly retryInterval: number;
  /** Connections to one server for searches, and as many for users' binds. */
  readonly poolSize: number;
}
