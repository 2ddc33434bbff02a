// Sends requests that no HTTP client would send.
import { connect, type Socket } from 'node:net';
import { connect as connectEncrypted } from 'node:tls';

/**
 * Sends bytes over TCP or TLS.
 *
 * @param url `https:` for TLS; the certificate of the server is not verified
 * @returns the answer until the connection closes or is idle for a second
 */
export function sendRaw(url: string, bytes: string): Promise<string> {
  const { protocol, port, hostname } = new URL(url);
  const address = { port: Number(port), host: hostname };
  return new Promise((resolve) => {
    let answer = '';
    const write = (): boolean => socket.write(bytes, 'latin1');
    const socket: Socket =
      protocol === 'https:'
        ? connectEncrypted({ ...address, rejectUnauthorized: false }, write)
        : connect(address, write);
    socket.setTimeout(1_000, () => socket.destroy());
    socket.on('data', (chunk: Buffer) => (answer += chunk.toString('latin1')));
    socket.on('error', () => {});
    socket.on('close', () => resolve(answer));
  });
}
