// Owns what the TLS client of a request has shown to be. Whether that is anybody is decided by who asks.
import type { IncomingMessage } from 'node:http';
import { TLSSocket } from 'node:tls';

/**
 * DER of the certificate whose key the client of this connection has proved to have: nothing else about it was checked,
 * neither its issuer nor its validity. Undefined where it showed none, was not asked, or speaks plain HTTP.
 */
export function peerCertificate({ socket }: IncomingMessage): Uint8Array | undefined {
  return socket instanceof TLSSocket ? socket.getPeerX509Certificate()?.raw : undefined;
}
