// The options of a directory.
import type { PasswordChangeKind } from './password-modify.js';

/** Finds users by searching for their entry. */
export interface SearchedUsers {
  readonly base: string;
  readonly scope: 'one' | 'sub';
  /** With the placeholder `{username}`. */
  readonly filter: string;
  /** Binds for searches; anonymous if absent. */
  readonly account?: ServiceAccount | undefined;
}

/** Finds users by a distinguished name that contains their name (direct bind). */
export interface NamedUsers {
  /** A distinguished name with the placeholder `{username}`. */
  readonly dn: string;
}

export interface ServiceAccount {
  readonly dn: string;
  readonly password: string;
}

/** A file, and the setting that names it, for error messages. */
export interface CaFile {
  readonly setting: string;
  readonly path: string;
}

/** How the groups of a user are found, by their attribute `member`. */
export interface GroupOptions {
  /** Groups are searched below it. */
  readonly base: string;
  /**
   * `direct`: the groups that have the user as a member; `nested`: those that have these as members too;
   * `active-directory`: the same, which Active Directory finds by itself.
   */
  readonly depth: 'direct' | 'nested' | 'active-directory';
  /** The attribute of a group whose values are taken; `dn`: its distinguished name. */
  readonly value: string;
  /** The name for services. */
  readonly attribute: string;
}

export interface LdapOptions {
  /** For the log. */
  readonly name: string;
  /** `ldap://host:port` or `ldaps://host:port`, in the order of use. */
  readonly urls: readonly string[];
  /** Whether `ldap://` servers must support StartTLS. */
  readonly startTls: boolean;
  /** PEM file of the CAs for servers' certificates; Node's public CAs if absent. */
  readonly caFile?: CaFile | undefined;
  readonly users: SearchedUsers | NamedUsers;
  /** The attribute with the user's id, which must have exactly one value. */
  readonly idAttribute: string;
  /** The names of attributes for services, by their names in the directory. */
  readonly attributes: Readonly<Record<string, string>>;
  /** Attributes whose values are bytes, in whatever case, even if some of them look like text. Those of `;binary` are too. */
  readonly binaryAttributes: readonly string[];
  /** Absent: groups are not searched. Needs a search for users. */
  readonly groups?: GroupOptions | undefined;
  /** The attribute with the time at which the user's password expires. */
  readonly passwordExpiryAttribute?: string | undefined;
  /** How users change their passwords; absent where they may not. */
  readonly passwordChange?: PasswordChangeKind | undefined;
  /** Milliseconds to open a connection, TLS included. */
  readonly connectTimeout: number;
  /** Milliseconds for one login at one server, connecting included. */
  readonly timeout: number;
  /** Milliseconds before an unavailable server is tried again. */
  readonly retryInterval: number;
  /** Maximum connections to one server for searches, and as many for binds. */
  readonly poolSize: number;
}
