// Opens connections to LDAP servers: TCP, StartTLS, and TLS with a verified certificate.
import { once } from 'node:events';
import { connect, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { lookupHost } from '@tessera/runtime';
import { endOfMessage } from './wire/message-splitter.js';
import { EXTENDED_RESPONSE, readMessage } from './wire/message.js';

export interface ServerAddress {
  readonly url: string;
  readonly host: string;
  readonly port: number;
  readonly security: 'none' | 'tls' | 'start-tls';
  /** PEM; Node's public CAs if absent. */
  readonly ca?: string | undefined;
}

const KEEP_ALIVE_MS = 30_000;

/** @param url `ldap://host:port` or `ldaps://host:port`; the port is optional */
export function addressOf(url: string, isStartTls: boolean, ca?: string): ServerAddress {
  const { protocol, hostname, port } = new URL(url);
  const isTls = protocol === 'ldaps:';
  const plainSecurity = isStartTls ? 'start-tls' : 'none';
  return {
    url,
    host: hostname.replace(/^\[(.*)\]$/, '$1'),
    port: Number(port) || (isTls ? 636 : 389),
    security: isTls ? 'tls' : plainSecurity,
    ca,
  };
}

/** Resolves with an open socket. Rejects for every error and when `signal` aborts, and leaves no socket open. */
export async function openTransport(address: ServerAddress, signal: AbortSignal): Promise<Socket> {
  const { host, port } = address;
  const plain = connect({ host, port, noDelay: true, lookup: lookupHost });
  plain.setKeepAlive(true, KEEP_ALIVE_MS);
  try {
    await ready(plain, 'connect', signal);
    if (address.security === 'none') return plain;
    if (address.security === 'start-tls') await startTls(plain, signal);
    return await ready(secured(plain, address), 'secureConnect', signal);
  } catch (error) {
    plain.destroy();
    throw error;
  }
}

/** Sets all options, so that neither defaults nor `NODE_TLS_REJECT_UNAUTHORIZED` weaken verification. */
function secured(socket: Socket, { host, ca }: ServerAddress): Socket {
  return connectTls({
    socket,
    host,
    ...(isIP(host) === 0 && { servername: host }),
    ...(ca !== undefined && { ca }),
    minVersion: 'TLSv1.2',
    rejectUnauthorized: true,
  });
}

async function ready(socket: Socket, event: string, signal: AbortSignal): Promise<Socket> {
  // The close event reports later errors.
  socket.on('error', () => {});
  await once(socket, event, { signal });
  return socket;
}

/** LDAPMessage 1, ExtendedRequest 1.3.6.1.4.1.1466.20037. @see RFC 4511 §4.14 */
const START_TLS_REQUEST = Buffer.concat([
  Buffer.from('301d02010177188016', 'hex'),
  Buffer.from('1.3.6.1.4.1.1466.20037'),
]);
const START_TLS_ID = 1;
const MAX_RESPONSE_BYTES = 4_096;

/**
 * Sends a StartTLS request and checks the response.
 *
 * Reads byte by byte, because an attacker may add bytes after the response in clear text: they must not
 * count as sent under TLS.
 *
 * @throws Error unless the server agrees and sends nothing more
 */
export async function startTls(socket: Socket, signal: AbortSignal): Promise<void> {
  socket.write(START_TLS_REQUEST);
  let answer = Buffer.alloc(0);
  while (endOf(answer) > answer.length) {
    await once(socket, 'readable', { signal });
    const chunk = socket.read() as Buffer | null;
    if (chunk === null) throw new Error('the server closed the connection instead of starting TLS');
    answer = Buffer.concat([answer, chunk]);
  }
  if (answer.length > endOf(answer)) {
    throw new Error('the server sent more than the StartTLS response');
  }
  const code = resultOf(answer) ?? 'unreadable';
  if (code !== 0) throw new Error(`the server does not start TLS: LDAP result ${code}`);
}

/** Infinity until the header is complete. */
function endOf(answer: Buffer): number {
  return endOfMessage(answer, MAX_RESPONSE_BYTES) ?? Infinity;
}

function resultOf(answer: Buffer): number | undefined {
  const { id, operation, code } = readMessage(answer);
  return id === START_TLS_ID && operation === EXTENDED_RESPONSE ? code : undefined;
}
