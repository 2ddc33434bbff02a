// Checks every byte from a server before ldapts reads it: ldapts loops forever on some malformed messages.
import type { Socket, SocketReadyState } from 'node:net';
import { Duplex } from 'node:stream';
import { MessageSplitter } from './message-splitter.js';
import {
  BIND_REQUEST,
  BIND_RESPONSE,
  EXTENDED_REQUEST,
  EXTENDED_RESPONSE,
  type LdapMessage,
  MODIFY_REQUEST,
  MODIFY_RESPONSE,
  readMessage,
  readRequest,
  SEARCH_DONE,
  SEARCH_ENTRY,
  SEARCH_REFERENCE,
  SEARCH_REQUEST,
} from './message.js';

const MAX_MESSAGE_BYTES = 1_024 * 1_024;

/** Wraps a socket and passes only complete and valid messages. The first error destroys both. */
export class GuardedStream extends Duplex {
  readonly connecting = false;
  /** Of the answer to the next request. */
  maxEntries = MAX_ENTRIES;
  private readonly splitter = new MessageSplitter(MAX_MESSAGE_BYTES);
  private guard = new ResponseGuard();

  /** @param socket open; read only by this stream from now on */
  constructor(private readonly socket: Socket) {
    super();
    // An error may occur before ldapts listens.
    this.on('error', () => {});
    socket.on('data', (bytes: Buffer) => this.receive(bytes));
    socket.on('error', (error) => this.destroy(error));
    socket.on('close', () => this.destroy());
  }

  get readyState(): SocketReadyState {
    return this.destroyed ? 'closed' : this.socket.readyState;
  }

  override _read(): void {
    // Messages are pushed at once: the guard limits their size.
  }

  /** @param request one complete message */
  override _write(request: Buffer, _encoding: string, done: (error?: Error | null) => void): void {
    this.guard = new ResponseGuard(request, this.maxEntries);
    this.socket.write(request, done);
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.socket.destroy();
    done(error);
  }

  private receive(bytes: Buffer): void {
    try {
      for (const message of this.splitter.cut(bytes)) {
        if (this.guard.accept(message)) this.push(message);
      }
    } catch (error) {
      this.destroy(error as Error);
    }
  }
}

/** The size limit of searches: two entries are enough to know that a user is ambiguous. */
export const MAX_ENTRIES = 2;
/** For searches without a size limit. */
export const MAX_OF_ALL = 10_000;
/** Far more than directories have. */
const MAX_REFERENCES = 1_000;
const MAX_ANSWER_BYTES = 2 * 1_024 * 1_024;

type Part = 'entries' | 'references';

/** The last message of the answer to each request, and those before it. */
const ANSWERS = new Map<
  number,
  { readonly end: number; readonly parts: ReadonlyMap<number, Part> }
>([
  [BIND_REQUEST, { end: BIND_RESPONSE, parts: new Map() }],
  [MODIFY_REQUEST, { end: MODIFY_RESPONSE, parts: new Map() }],
  [EXTENDED_REQUEST, { end: EXTENDED_RESPONSE, parts: new Map() }],
  [
    SEARCH_REQUEST,
    {
      end: SEARCH_DONE,
      parts: new Map([
        [SEARCH_ENTRY, 'entries'],
        [SEARCH_REFERENCE, 'references'],
      ]),
    },
  ],
]);

/** The message identifier of unsolicited notifications. @see RFC 4511 §4.4 */
const UNSOLICITED = 0;

/** Checks that messages of a server answer one request, and limits their number and size. */
export class ResponseGuard {
  /** Absent when no answer is expected. */
  private request: LdapMessage | undefined;
  private readonly remaining: Record<'bytes' | Part, number>;

  /** @param request the message that was sent; absent before the first */
  constructor(request?: Buffer, entries = MAX_ENTRIES) {
    this.remaining = { bytes: MAX_ANSWER_BYTES, entries, references: MAX_REFERENCES };
    this.request = request === undefined ? undefined : readRequest(request);
  }

  /**
   * Checks a message of the server. Returns false for references, which the client does not need.
   *
   * @throws Error for a message that is malformed, does not answer the request, or is too much
   */
  accept(bytes: Buffer): boolean {
    const { id, operation, code } = readMessage(bytes);
    if (id === UNSOLICITED) throw new Error(`the server ended the session: LDAP result ${code}`);
    if (id !== this.request?.id) throw new Error('the server sent an unexpected message');
    this.spend('bytes', bytes.length);
    const answer = ANSWERS.get(this.request.operation);
    const part = answer?.parts.get(operation);
    if (part !== undefined) this.spend(part, 1);
    else if (operation === answer?.end) this.request = undefined;
    else throw new Error('the server sent a response of the wrong type');
    return part !== 'references';
  }

  private spend(what: 'bytes' | Part, amount: number): void {
    this.remaining[what] -= amount;
    if (this.remaining[what] < 0) throw new Error(`the server answers with too many ${what}`);
  }
}
