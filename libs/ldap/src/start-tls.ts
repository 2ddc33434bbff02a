// Asks a server, in clear text, to go on with TLS. Done here byte by byte, because whatever an attacker on the
// way adds behind the answer must not be taken for something the server said under TLS.
import { once } from 'node:events';
import type { Socket } from 'node:net';

/** LDAPMessage 1, ExtendedRequest 1.3.6.1.4.1.1466.20037. @see RFC 4511 §4.14 */
const REQUEST = Buffer.concat([
  Buffer.from('301d02010177188016', 'hex'),
  Buffer.from('1.3.6.1.4.1.1466.20037'),
]);
/** How the answer begins: message 1, ExtendedResponse. */
const RESPONSE = Buffer.from('02010178', 'hex');
/** What follows its length, before the result: an enumeration of one byte. */
const RESULT = Buffer.from('0a01', 'hex');
const LONGEST_ANSWER = 4_096;

/** Resolves when the server has agreed and has said nothing more. @throws Error where it has not */
export async function startTls(socket: Socket, signal: AbortSignal): Promise<void> {
  socket.write(REQUEST);
  let answer = Buffer.alloc(0);
  while (endOf(answer) > answer.length) {
    await once(socket, 'readable', { signal });
    const chunk = socket.read() as Buffer | null;
    if (chunk === null) throw new Error('the server closed the connection instead of starting TLS');
    answer = Buffer.concat([answer, chunk]);
  }
  if (answer.length > endOf(answer)) throw new Error('the server said more than it was asked');
  const code = resultOf(answer) ?? 'unreadable';
  if (code !== 0) throw new Error(`the server does not start TLS: LDAP result ${code}`);
}

/** Where the message ends; beyond all bytes until its header has come. */
function endOf(message: Buffer): number {
  const [tag = 0x30] = message;
  const { end } = extentOf(message, 0) ?? { end: Infinity };
  const isTooLong = end > LONGEST_ANSWER && end < Infinity;
  if (tag !== 0x30 || isTooLong) throw new Error('the server does not speak LDAP');
  return end;
}

function resultOf(answer: Buffer): number | undefined {
  const { start } = extentOf(answer, 0) ?? { start: 0 };
  const tag = start + RESPONSE.length - 1;
  const { start: at } = extentOf(answer, tag) ?? { start: 0 };
  const isResponse = answer.subarray(start, tag + 1).equals(RESPONSE);
  return isResponse && answer.subarray(at, at + 2).equals(RESULT) ? answer[at + 2] : undefined;
}

/** Where the content of the element at `offset` begins and ends. @see X.690 §8.1.3 */
function extentOf(
  bytes: Buffer,
  offset: number,
): { readonly start: number; readonly end: number } | undefined {
  const short = bytes[offset + 1];
  if (short === undefined) return undefined;
  if (short < 0x80) return { start: offset + 2, end: offset + 2 + short };
  const size = short - 0x80;
  if (size < 1 || size > 4) throw new Error('the server does not speak LDAP');
  const start = offset + 2 + size;
  return start > bytes.length
    ? undefined
    : { start, end: start + bytes.readUIntBE(offset + 2, size) };
}
