// Owns the directory: its servers in their order, one asked when those before it are away.
import { X509Certificate } from 'node:crypto';
import { readRegularFile } from '@tessera/runtime';
import { LdapError } from './ldap-error.js';
import type { LdapOptions, SettingsFile } from './ldap-options.js';
import { LdapServer } from './ldap-server.js';
import type { LdapUser, LdapVerdict } from './ldap-user.js';
import { directBind, searchAlone, searchThenBind, type Login, type LookUp } from './login.js';
import { addressOf } from './transport.js';

/** No name and no password is longer; what is, is not sent. */
const LONGEST = 1_024;
const MOST_BYTES_OF_AUTHORITIES = 1_048_576;

export class LdapDirectory {
  private constructor(
    private readonly servers: readonly LdapServer[],
    private readonly login: Login,
    private readonly lookUp: LookUp,
  ) {}

  /**
   * Reads files; connects to nobody yet, so that a directory which is away keeps no application from starting.
   *
   * @throws LdapError LDAP_CA_UNREADABLE
   */
  static async open(options: LdapOptions): Promise<LdapDirectory> {
    const ca = options.caFile === undefined ? undefined : await readAuthorities(options.caFile);
    const { users } = options;
    const account = 'base' in users ? users.account : undefined;
    const servers = options.urls.map(
      (url) => new LdapServer(addressOf(url, options.startTls, ca), options, account),
    );
    return 'base' in users
      ? new LdapDirectory(servers, searchThenBind(users, options), searchAlone(users, options))
      : new LdapDirectory(servers, directBind(users, options), noSearch);
  }

  /**
   * Whose name and password these are, or why nobody's.
   *
   * @throws LdapError LDAP_UNAVAILABLE, LDAP_BUSY or LDAP_REFUSED where no server could tell
   */
  async authenticate(username: string, password: string): Promise<LdapVerdict> {
    if (!isSendable(username)) return { refused: 'unknown user' };
    if (!isSendable(password)) return { refused: 'wrong password' };
    return this.ask((server, signal) => this.login(server, username, password, signal));
  }

  /**
   * The one user that the search finds by this name, without a password; undefined where there is none.
   *
   * @throws LdapError LDAP_UNAVAILABLE, LDAP_BUSY or LDAP_REFUSED where no server could tell; LDAP_REFUSED where users are
   *   found by direct bind
   */
  async find(username: string): Promise<LdapUser | undefined> {
    if (!isSendable(username)) return undefined;
    return this.ask((server, signal) => this.lookUp(server, username, signal));
  }

  /** Closes connections when the logins under way are done. */
  close(): void {
    for (const server of this.servers) server.close();
  }

  /** The answer of the first server that gives one. @throws LdapError of the last where none does */
  private async ask<T>(
    question: (server: LdapServer, signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    let fault: unknown = new LdapError('LDAP_UNAVAILABLE', 'The directory has no servers.');
    for (const server of this.inOrder()) {
      try {
        return await server.attempt((signal) => question(server, signal));
      } catch (error) {
        fault = error;
      }
    }
    throw fault;
  }

  /** Those that are away come last: asked only where every other failed too. */
  private inOrder(): readonly LdapServer[] {
    const away = this.servers.filter((server) => server.isAway);
    return [...this.servers.filter((server) => !away.includes(server)), ...away];
  }
}

function noSearch(): Promise<never> {
  const message = 'A directory of direct binds cannot be searched for users.';
  return Promise.reject(new LdapError('LDAP_REFUSED', message));
}

/** An empty password would bind as nobody, and hold; a NUL ends a text where C is spoken. */
function isSendable(text: string): boolean {
  return text !== '' && text.length <= LONGEST && !text.includes('\0') && text.isWellFormed();
}

async function readAuthorities({ setting, path }: SettingsFile): Promise<string> {
  const reading = await readRegularFile(path, MOST_BYTES_OF_AUTHORITIES);
  if ('fault' in reading) {
    const message = `${setting}: ${path} ${reading.fault}`;
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
