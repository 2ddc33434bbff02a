// Owns what a server may say to one request, and how much of it.
import {
  BIND_REQUEST,
  BIND_RESPONSE,
  readMessage,
  readRequest,
  SEARCH_DONE,
  SEARCH_ENTRY,
  SEARCH_REFERENCE,
  SEARCH_REQUEST,
  type LdapMessage,
} from './message.js';

/** What a search asks for: two are as bad as many. */
export const MOST_ENTRIES = 2;
/** Far more than a directory is spread over. */
const MOST_REFERENCES = 1_000;
const MOST_BYTES = 2 * 1_024 * 1_024;

type Part = 'entries' | 'references';

/** What ends the answer to each request, and what may come before. */
const ANSWERS = new Map<
  number,
  { readonly end: number; readonly parts: ReadonlyMap<number, Part> }
>([
  [BIND_REQUEST, { end: BIND_RESPONSE, parts: new Map() }],
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

/** The message identifier of what nobody asked for. @see RFC 4511 §4.4 */
const UNSOLICITED = 0;

export class Exchange {
  /** Absent when nothing is awaited any more. */
  private request: LdapMessage | undefined;
  private readonly left = {
    bytes: MOST_BYTES,
    entries: MOST_ENTRIES,
    references: MOST_REFERENCES,
  };

  /** @param request a message of ours; absent: nothing was asked yet */
  constructor(request?: Buffer) {
    this.request = request === undefined ? undefined : readRequest(request);
  }

  /**
   * Whether the client is to see this message of the server. References are not followed, and not shown.
   *
   * @throws Error for a message that is malformed, does not answer the request, or is too much
   */
  admits(bytes: Buffer): boolean {
    const { id, operation, code } = readMessage(bytes);
    if (id === UNSOLICITED) throw new Error(`the server takes its leave: LDAP result ${code}`);
    if (id !== this.request?.id) throw new Error('the server says what nobody asked');
    this.spend('bytes', bytes.length);
    const answer = ANSWERS.get(this.request.operation);
    const part = answer?.parts.get(operation);
    if (part !== undefined) this.spend(part, 1);
    else if (operation === answer?.end) this.request = undefined;
    else throw new Error('the server answers something else');
    return part !== 'references';
  }

  private spend(what: 'bytes' | Part, amount: number): void {
    this.left[what] -= amount;
    if (this.left[what] < 0) throw new Error(`the server answers with too many ${what}`);
  }
}
