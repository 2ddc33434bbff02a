// One connection to a server through ldapts, without automatic reconnects: a new connection would not be bound.
import type { Socket } from 'node:net';
import { Client, type Control, ResultCodeError, type Entry } from 'ldapts';
import { LdapError, unavailable } from './ldap-error.js';
import { PasswordControls } from './password-controls.js';
import { sendModification, type PasswordModification } from './password-modify.js';
import { errorOfResult, type BindAnswer } from './result-codes.js';
import { openTransport, type ServerAddress } from './transport.js';
import { GuardedStream, MAX_ENTRIES, MAX_OF_ALL } from './wire/guarded-stream.js';

export interface SearchRequest {
  readonly base: string;
  readonly scope: 'base' | 'one' | 'sub';
  readonly filter: string;
  /** The names of the attributes to return; at least one. */
  readonly attributes: readonly string[];
  /** Those of them whose values are bytes. */
  readonly binary?: readonly string[];
  /** Whether all entries are wanted. Otherwise they are at most two. */
  readonly isOfAll?: boolean;
}

export interface LdapEntry {
  readonly dn: string;
  /** By name in lower case, without `;binary`. A value is a text, or bytes where it is none. */
  readonly attributes: ReadonlyMap<string, ReadonlyArray<string | Buffer>>;
}

export class LdapConnection {
  private constructor(
    private readonly client: Client,
    private readonly stream: GuardedStream,
  ) {}

  /** @throws LdapError LDAP_UNAVAILABLE, also when `signal` aborts */
  static async open(address: ServerAddress, signal: AbortSignal): Promise<LdapConnection> {
    const socket = await openTransport(address, signal).catch((error: unknown) => {
      throw unavailable(error);
    });
    const stream = new GuardedStream(socket);
    let isTaken = false;
    const createConnection = (): Socket => {
      if (isTaken) throw new Error('the connection is closed');
      isTaken = true;
      // This stream has all members of a socket that ldapts uses.
      return stream as unknown as Socket;
    };
    return new LdapConnection(new Client({ url: 'ldap://opened', createConnection }), stream);
  }

  get isOpen(): boolean {
    return this.stream.readyState === 'open';
  }

  /**
   * Binds as a user. After a failure the connection is anonymous.
   *
   * @throws LdapError LDAP_UNAVAILABLE, and closes the connection
   * @throws LdapError LDAP_REFUSED for an invalid name or an empty password, and sends nothing
   */
  async bind(dn: string, password: string, signal: AbortSignal): Promise<BindAnswer> {
    // A bind without a password succeeds and proves nothing. ldapts takes a plain word for a SASL mechanism.
    if (!/[=@\\]/.test(dn) || password === '') {
      throw new LdapError('LDAP_REFUSED', 'The name from the directory cannot be used to log in.');
    }
    return this.answerTo([password], signal, (controls) =>
      this.client.bind(dn, password, controls),
    );
  }

  /**
   * Changes a password, with the rights of the connection.
   *
   * @throws LdapError LDAP_UNAVAILABLE, and closes the connection: the password may be changed
   */
  modifyPassword(modification: PasswordModification, signal: AbortSignal): Promise<BindAnswer> {
    const { oldPassword, newPassword } = modification;
    return this.answerTo([oldPassword, newPassword], signal, (controls) =>
      sendModification(this.client, modification, controls),
    );
  }

  private async answerTo(
    secrets: readonly string[],
    signal: AbortSignal,
    send: (controls: Control[]) => Promise<void>,
  ): Promise<BindAnswer> {
    const controls = new PasswordControls();
    try {
      await this.withTimeout(signal, () => send(controls.all));
      const { warning } = controls;
      return { code: 0, message: '', policyError: controls.errorOf(true), warning };
    } catch (error) {
      if (!(error instanceof ResultCodeError)) throw error;
      // Servers may repeat passwords.
      const message = secrets.reduce(
        (text, password) => text.replaceAll(password, '…'),
        error.message,
      );
      return { code: error.code, message, policyError: controls.errorOf(false) };
    }
  }

  /**
   * Searches for entries. Referrals are not followed.
   *
   * @throws LdapError
   */
  async search(request: SearchRequest, signal: AbortSignal): Promise<readonly LdapEntry[]> {
    const { base, scope, filter, attributes, binary = [], isOfAll = false } = request;
    this.stream.maxEntries = isOfAll ? MAX_OF_ALL : MAX_ENTRIES;
    try {
      const { searchEntries } = await this.withTimeout(signal, () =>
        this.client.search(base, {
          scope,
          filter,
          attributes: [...attributes],
          derefAliases: 'never',
          // With a limit of ours, the client takes that of the server for it, and gives some of the entries.
          sizeLimit: isOfAll ? 0 : MAX_ENTRIES,
        }),
      );
      return searchEntries.map((entry) => entryOf(entry, binary));
    } catch (error) {
      throw error instanceof ResultCodeError ? errorOfResult(error.code, error.message) : error;
    }
  }

  close(): void {
    this.stream.destroy();
  }

  /** Runs work, and closes the connection after a timeout or an error. */
  private async withTimeout<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    const aborted = Promise.withResolvers<never>();
    const onAbort = (): void => aborted.reject(unavailable(signal.reason));
    signal.addEventListener('abort', onAbort, { once: true });
    try {
      signal.throwIfAborted();
      if (!this.isOpen) throw new Error('the connection is closed');
      return await Promise.race([work(), aborted.promise]);
    } catch (error) {
      if (error instanceof ResultCodeError) throw error;
      // The error of the stream is more specific than that of ldapts.
      const { errored } = this.stream;
      this.close();
      throw error instanceof LdapError ? error : unavailable(errored ?? error);
    } finally {
      signal.removeEventListener('abort', onAbort);
    }
  }
}

function entryOf({ dn, ...attributes }: Entry, binary: readonly string[]): LdapEntry {
  const ofBytes = new Set(binary.map(attributeName));
  const named = new Map<string, (string | Buffer)[]>();
  for (const [written, values] of Object.entries(attributes)) {
    const name = attributeName(written);
    const isBytes = ofBytes.has(name) || /;binary$/i.test(written);
    const read = [values].flat().map(isBytes ? bytesOf : valueOf);
    named.set(name, [...(named.get(name) ?? []), ...read]);
  }
  return { dn, attributes: named };
}

/** Servers add the option `binary` to certificates. @see RFC 4522, RFC 4523 */
export function attributeName(written: string): string {
  return written.toLowerCase().replace(/;binary$/, '');
}

function bytesOf(value: Buffer | string): Buffer {
  return typeof value === 'string' ? Buffer.from(value) : value;
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
// A value may have tabs and line ends, as in a postal address.
const CONTROL_CHARACTER = /(?![\t\n\r])[\p{Cc}\p{Cs}]/u;

/** ldapts gives texts, and bytes for an attribute with a value that is not UTF-8. */
function valueOf(value: Buffer | string): string | Buffer {
  try {
    const text = typeof value === 'string' ? value : decoder.decode(value);
    return CONTROL_CHARACTER.test(text) ? bytesOf(value) : text;
  } catch {
    return bytesOf(value);
  }
}
