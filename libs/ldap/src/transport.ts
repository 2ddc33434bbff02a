// Opens the way to a server: TCP and, unless the server is asked for in clear text, TLS with a verified
// certificate. What is said over it is not known here.
import { once } from 'node:events';
import { connect, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { startTls } from './start-tls.js';

export interface ServerAddress {
  readonly url: string;
  readonly host: string;
  readonly port: number;
  readonly security: 'none' | 'tls' | 'start-tls';
  /** PEM; absent: the public CAs that Node knows. */
  readonly ca?: string | undefined;
}

const KEEP_ALIVE_MS = 30_000;

/** @param url `ldap://host:port` or `ldaps://host:port`; the port may be left out */
export function addressOf(url: string, isStartTls: boolean, ca?: string): ServerAddress {
  const { protocol, hostname, port } = new URL(url);
  const isTls = protocol === 'ldaps:';
  const ofPlain = isStartTls ? 'start-tls' : 'none';
  return {
    url,
    host: hostname.replace(/^\[(.*)\]$/, '$1'),
    port: Number(port) || (isTls ? 636 : 389),
    security: isTls ? 'tls' : ofPlain,
    ca,
  };
}

/** Resolves with an open socket; rejects, and leaves none open, for every fault and when `signal` aborts. */
export async function openTransport(address: ServerAddress, signal: AbortSignal): Promise<Socket> {
  const plain = connect({ host: address.host, port: address.port, noDelay: true });
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

/** Said in full, so that neither a default nor `NODE_TLS_REJECT_UNAUTHORIZED` weakens it. */
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
  // An error after that is told by the close that follows it.
  socket.on('error', () => {});
  await once(socket, event, { signal });
  return socket;
}
