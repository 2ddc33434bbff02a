// The floor of the config server: bare node:http that answers each GET with a prepared body, and encrypts or decrypts the
// body of a POST with AES-256-GCM. It sends its port to the parent process, and exits with it.
import { createCipheriv, createDecipheriv, createSecretKey, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

const ALGORITHM = 'aes-256-gcm';
const [NONCE, TAG] = [12, 16];
const HEADERS = {
  'Content-Type': 'text/plain;charset=UTF-8',
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
};

const key = createSecretKey(randomBytes(32));
const prepared = JSON.parse(process.argv[2] ?? '{}') as {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

function crypt(request: IncomingMessage, response: ServerResponse): void {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const body = Buffer.concat(chunks);
    const answer = request.url === '/encrypt' ? seal(body) : open(body.toString('latin1'));
    response.writeHead(200, { ...HEADERS, 'Content-Length': answer.length });
    response.end(answer, 'latin1');
  });
}

function seal(plain: Buffer): string {
  const nonce = randomBytes(NONCE);
  const cipher = createCipheriv(ALGORITHM, key, nonce);
  const sealed = [nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()];
  return Buffer.concat(sealed).toString('base64url');
}

function open(text: string): string {
  const sealed = Buffer.from(text, 'base64url');
  const decipher = createDecipheriv(ALGORITHM, key, sealed.subarray(0, NONCE));
  decipher.setAuthTag(sealed.subarray(-TAG));
  const plain = [decipher.update(sealed.subarray(NONCE, -TAG)), decipher.final()];
  return Buffer.concat(plain).toString('latin1');
}

const server = createServer((request, response) => {
  if (request.method === 'GET') {
    response.writeHead(200, prepared.headers);
    response.end(prepared.body, 'latin1');
  } else {
    crypt(request, response);
  }
});
server.listen(0, '127.0.0.1', () => {
  process.send?.({ port: (server.address() as AddressInfo).port });
});
process.on('disconnect', () => process.exit(0));
