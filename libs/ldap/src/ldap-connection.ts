// Owns one connection to a server, through ldapts: the only file that knows it. Nothing here connects again
// behind our back, because a new connection has no identity.
import type { Socket } from 'node:net';
import { Client, PasswordPolicyControl, ResultCodeError, type Entry } from 'ldapts';
import { LdapError, unavailable } from './ldap-error.js';
import { faultOf, type BindAnswer } from './result-codes.js';
import { openTransport, type ServerAddress } from './transport.js';
import { MOST_ENTRIES } from './wire/exchange.js';
import { GuardedStream } from './wire/guarded-stream.js';

export interface SearchRequest {
  readonly base: string;
  readonly scope: 'base' | 'one' | 'sub';
  readonly filter: string;
  /** Names of those wanted; at least one. */
  readonly attributes: readonly string[];
}

export interface LdapEntry {
  readonly dn: string;
  /** The values that are text, by name in lower case. */
  readonly attributes: ReadonlyMap<string, readonly string[]>;
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
      // Of a socket, ldapts uses what this stream has.
      return stream as unknown as Socket;
    };
    return new LdapConnection(new Client({ url: 'ldap://opened', createConnection }), stream);
  }

  get isOpen(): boolean {
    return this.stream.readyState === 'open';
  }

  /**
   * Makes the connection the user's, or nobody's where the answer is no.
   *
   * @throws LdapError LDAP_UNAVAILABLE, and the connection is closed; LDAP_REFUSED for what is no name or no
   *   password, and nothing is sent
   */
  async bind(dn: string, password: string, signal: AbortSignal): Promise<BindAnswer> {
    // Without a password a bind holds and proves nothing; a word for a name is a SASL mechanism to ldapts.
    if (!/[=@\\]/.test(dn) || password === '') {
      throw new LdapError(
        'LDAP_REFUSED',
        'Nobody can log in by the name that the directory gives.',
      );
    }
    const policy = new PasswordPolicyControl();
    try {
      await this.during(signal, () => this.client.bind(dn, password, policy));
      return { code: 0, message: '', policyError: policy.value?.error };
    } catch (error) {
      if (!(error instanceof ResultCodeError)) throw error;
      // Servers may repeat what they were sent.
      const message = error.message.replaceAll(password, '…');
      return { code: error.code, message, policyError: policy.value?.error };
    }
  }

  /**
   * The entries found, at most two. References to other servers are not followed.
   *
   * @throws LdapError
   */
  async search(request: SearchRequest, signal: AbortSignal): Promise<readonly LdapEntry[]> {
    const { base, scope, filter, attributes } = request;
    try {
      const { searchEntries } = await this.during(signal, () =>
        this.client.search(base, {
          scope,
          filter,
          attributes: [...attributes],
          derefAliases: 'never',
          sizeLimit: MOST_ENTRIES,
        }),
      );
      return searchEntries.map(entryOf);
    } catch (error) {
      throw error instanceof ResultCodeError ? faultOf(error.code, error.message) : error;
    }
  }

  close(): void {
    this.stream.destroy();
  }

  /** Work whose answer came too late, or not at all, takes the connection with it. */
  private async during<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    const late = Promise.withResolvers<never>();
    const onAbort = (): void => late.reject(unavailable(signal.reason));
    signal.addEventListener('abort', onAbort, { once: true });
    try {
      signal.throwIfAborted();
      if (!this.isOpen) throw new Error('the connection is closed');
      return await Promise.race([work(), late.promise]);
    } catch (error) {
      if (error instanceof ResultCodeError) throw error;
      // What the stream ended by says more than what ldapts makes of it.
      const { errored } = this.stream;
      this.close();
      throw error instanceof LdapError ? error : unavailable(errored ?? error);
    } finally {
      signal.removeEventListener('abort', onAbort);
    }
  }
}

function entryOf({ dn, ...attributes }: Entry): LdapEntry {
  const named = Object.entries(attributes).map(
    ([name, values]) => [name.toLowerCase(), [values].flat().flatMap(textOf)] as const,
  );
  return { dn, attributes: new Map(named) };
}

const decoder = new TextDecoder('utf-8', { fatal: true });
// Tab and line ends may stand in a value, such as a postal address.
const NOT_IN_TEXT = /(?![\t\n\r])[\p{Cc}\p{Cs}]/u;

/** Bytes that are no text, such as a photo, are left out. */
function textOf(value: Buffer | string): readonly string[] {
  try {
    const text = typeof value === 'string' ? value : decoder.decode(value);
    return NOT_IN_TEXT.test(text) ? [] : [text];
  } catch {
    return [];
  }
}
