// Asks a server, in clear text, to go on with TLS. Done here byte by byte, because whatever an attacker on the
// way adds behind the answer must not be taken for something the server said under TLS.
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { EXTENDED_RESPONSE, readMessage } from './wire/message.js';
import { endOfMessage } from './wire/message-splitter.js';

/** LDAPMessage 1, ExtendedRequest 1.3.6.1.4.1.1466.20037. @see RFC 4511 §4.14 */
const REQUEST = Buffer.concat([
  Buffer.from('301d02010177188016', 'hex'),
  Buffer.from('1.3.6.1.4.1.1466.20037'),
]);
const REQUEST_ID = 1;
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

/** Beyond all bytes until the header has come. */
function endOf(answer: Buffer): number {
  return endOfMessage(answer, LONGEST_ANSWER) ?? Infinity;
}

function resultOf(answer: Buffer): number | undefined {
  const { id, operation, code } = readMessage(answer);
  return id === REQUEST_ID && operation === EXTENDED_RESPONSE ? code : undefined;
}
