// Owns the directory: its servers in their order, one asked when those before it are away.
import { X509Certificate } from 'node:crypto';
import { readRegularFile } from '@tessera/runtime';
import { LdapError } from './ldap-error.js';
import type { LdapOptions, SettingsFile } from './ldap-options.js';
import { LdapServer } from './ldap-server.js';
import type { LdapVerdict } from './ldap-user.js';
import { directBind, searchThenBind, type Login } from './login.js';
import { addressOf } from './transport.js';

/** No name and no password is longer; what is, is not sent. */
const LONGEST = 1_024;
const MOST_BYTES_OF_AUTHORITIES = 1_048_576;

export class LdapDirectory {
  private constructor(
    private readonly servers: readonly LdapServer[],
    private readonly login: Login,
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
    const login = 'base' in users ? searchThenBind(users, options) : directBind(users, options);
    return new LdapDirectory(servers, login);
  }

  /**
   * Whose name and password these are, or why nobody's.
   *
   * @throws LdapError LDAP_UNAVAILABLE, LDAP_BUSY or LDAP_REFUSED where no server could tell
   */
  async authenticate(username: string, password: string): Promise<LdapVerdict> {
    if (!isSendable(username)) return { refused: 'unknown user' };
    if (!isSendable(password)) return { refused: 'wrong password' };
    let fault: unknown = new LdapError('LDAP_UNAVAILABLE', 'The directory has no servers.');
    for (const server of this.inOrder()) {
      try {
        return await server.attempt((signal) => this.login(server, username, password, signal));
      } catch (error) {
        fault = error;
      }
    }
    throw fault;
  }

  /** Closes connections when the logins under way are done. */
  close(): void {
    for (const server of this.servers) server.close();
  }

  /** Those that are away come last: asked only where every other failed too. */
  private inOrder(): readonly LdapServer[] {
    const away = this.servers.filter((server) => server.isAway);
    return [...this.servers.filter((server) => !away.includes(server)), ...away];
  }
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
