import { createHmac, hash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { Secret } from '@tessera/config';

const PREFIXED = /^sha256=([0-9a-f]{64})$/i;
const BARE = /^([0-9a-f]{64})$/i;

/** HMAC-SHA-256 in hexadecimal digits, by the name of its header. SHA-1 signatures are not accepted. */
const SIGNATURES: readonly (readonly [string, RegExp])[] = [
  ['x-hub-signature-256', PREFIXED], // GitHub, Gitea, Forgejo
  ['x-hub-signature', PREFIXED], // Bitbucket
  ['x-gitea-signature', BARE], // Gitea, Forgejo
];

/** Whether the sender knows the secret. @param body the bytes as received */
export function isSigned(headers: IncomingHttpHeaders, body: Buffer, secret: Secret): boolean {
  const expected = createHmac('sha256', secret.reveal()).update(body).digest();
  return SIGNATURES.some(([header, form]) => {
    const digits = form.exec(String(headers[header] ?? ''))?.[1];
    return digits !== undefined && timingSafeEqual(Buffer.from(digits, 'hex'), expected);
  });
}

/** Whether the request has the token, as GitLab sends it. Compared in constant time, whatever its length. */
export function hasToken(headers: IncomingHttpHeaders, token: Secret): boolean {
  const [given, expected] = [String(headers['x-gitlab-token'] ?? ''), token.reveal()].map((text) =>
    hash('sha256', text, 'buffer'),
  ) as [Buffer, Buffer];
  return timingSafeEqual(given, expected);
}
