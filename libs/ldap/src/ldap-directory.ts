// Authenticates and finds users in a directory of several servers, with failover in their order.
import { X509Certificate } from 'node:crypto';
import { availableFirst, readRegularFile } from '@tessera/runtime';
import { LdapError } from './ldap-error.js';
import type { LdapOptions, CaFile } from './ldap-options.js';
import { LdapServer } from './ldap-server.js';
import type { LdapUser, LdapVerdict } from './ldap-user.js';
import { directBind, searchAlone, searchThenBind, type Login, type LookUp } from './login.js';
import {
  changePassword,
  type ChangePassword,
  type NewPassword,
  type PasswordVerdict,
} from './password-change.js';
import { addressOf } from './transport.js';

/** Longer names and passwords are not sent. */
const MAX_CREDENTIAL_LENGTH = 1_024;
const MAX_CA_FILE_BYTES = 1_048_576;

export class LdapDirectory {
  private constructor(
    private readonly servers: readonly LdapServer[],
    private readonly login: Login,
    private readonly lookUp: LookUp,
    private readonly change: ChangePassword,
  ) {}

  /**
   * Reads the CA file. Connects at the first login, so that the application starts without the directory.
   *
   * @throws LdapError LDAP_CA_UNREADABLE
   */
  static async open(options: LdapOptions): Promise<LdapDirectory> {
    const ca = options.caFile === undefined ? undefined : await readCaFile(options.caFile);
    const { users } = options;
    const account = 'base' in users ? users.account : undefined;
    const servers = options.urls.map(
      (url) => new LdapServer(addressOf(url, options.startTls, ca), options, account),
    );
    const { passwordChange: kind } = options;
    const change = kind === undefined ? noChange : changePassword(options, kind);
    return 'base' in users
      ? new LdapDirectory(
          servers,
          searchThenBind(users, options),
          searchAlone(users, options),
          change,
        )
      : new LdapDirectory(servers, directBind(users, options), noSearch, change);
  }

  /** Whether no server has answered lately. The next call tries them all the same. */
  get isUnavailable(): boolean {
    return this.servers.every((server) => server.isUnavailable);
  }

  /**
   * Checks a name and a password.
   *
   * @throws LdapError LDAP_UNAVAILABLE, LDAP_BUSY or LDAP_REFUSED where no server can answer
   */
  async authenticate(username: string, password: string): Promise<LdapVerdict> {
    if (!isSendable(username)) return { refused: 'unknown user' };
    if (!isSendable(password)) return { refused: 'wrong password' };
    return this.tryServers((server, signal) => this.login(server, username, password, signal));
  }

  /**
   * Finds a user by name, without a password; undefined for no user or several.
   *
   * @throws LdapError LDAP_UNAVAILABLE, LDAP_BUSY or LDAP_REFUSED where no server can answer; LDAP_REFUSED with
   *   direct bind
   */
  async find(username: string): Promise<LdapUser | undefined> {
    if (!isSendable(username)) return undefined;
    return this.tryServers((server, signal) => this.lookUp(server, username, signal));
  }

  /**
   * Changes the password of a user who knows the present one. It is sent to one server, once.
   *
   * @throws LdapError LDAP_UNAVAILABLE, LDAP_BUSY or LDAP_REFUSED, where nothing was changed
   */
  async changePassword(change: NewPassword): Promise<PasswordVerdict> {
    if (!isSendable(change.username)) return { outcome: 'user refused', reason: 'unknown user' };
    if (!isSendable(change.oldPassword)) {
      return { outcome: 'user refused', reason: 'wrong password' };
    }
    if (!isSendable(change.newPassword)) {
      return { outcome: 'password refused', reason: 'password not accepted' };
    }
    return this.tryServers((server, signal) => this.change(server, change, signal));
  }

  /** Closes the connections after the current logins. */
  close(): void {
    for (const server of this.servers) server.close();
  }

  /** Returns the result of the first server that gives one. @throws LdapError of the last server */
  private async tryServers<T>(
    work: (server: LdapServer, signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    let lastError: unknown = new LdapError('LDAP_UNAVAILABLE', 'The directory has no servers.');
    for (const server of availableFirst(this.servers)) {
      try {
        return await server.attempt((signal) => work(server, signal));
      } catch (error) {
        lastError = error;
      }
    }
    throw lastError;
  }
}

function noChange(): Promise<PasswordVerdict> {
  return Promise.resolve({ outcome: 'password refused', reason: 'change not permitted' });
}

function noSearch(): Promise<never> {
  const message = 'A directory of direct binds cannot be searched for users.';
  return Promise.reject(new LdapError('LDAP_REFUSED', message));
}

/** An empty password would bind anonymously and succeed. A NUL ends a string in C. */
function isSendable(text: string): boolean {
  return (
    text !== '' &&
    text.length <= MAX_CREDENTIAL_LENGTH &&
    !text.includes('\0') &&
    text.isWellFormed()
  );
}

async function readCaFile({ setting, path }: CaFile): Promise<string> {
  const reading = await readRegularFile(path, MAX_CA_FILE_BYTES);
  if ('error' in reading) {
    const message = `${setting}: ${path} ${reading.error}`;
    throw new LdapError('LDAP_CA_UNREADABLE', message, reading.cause);
  }
  const pem = reading.content.toString();
  try {
    const certificates = pem.match(/-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g);
    if (certificates === null) throw new Error('it holds no certificate');
    for (const certificate of certificates) void new X509Certificate(certificate);
    return pem;
  } catch (error) {
    const { message: reason } = error as Error;
    throw new LdapError('LDAP_CA_UNREADABLE', `${setting}: cannot read ${path}: ${reason}`, error);
  }
}
