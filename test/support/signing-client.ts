// A client with a key: its registration has the public one, and it signs assertions and request objects.
import { sign, subtle } from 'node:crypto';
import * as client from 'openid-client';
import type { ClientDefinition } from '@tessera/services';

export interface SigningClient {
  readonly privateKey: client.CryptoKey;
  readonly jwks: NonNullable<ClientDefinition['jwks']>;
  /** A JWT with its signature. */
  sign(claims: object, header?: object): string;
}

export async function newSigningClient(): Promise<SigningClient> {
  const keys = await client.randomDPoPKeyPair('ES256', { extractable: true });
  const { kty, crv, x, y } = await subtle.exportKey('jwk', keys.publicKey);
  const key = Buffer.from(await subtle.exportKey('pkcs8', keys.privateKey));
  const signing = { key, format: 'der', type: 'pkcs8', dsaEncoding: 'ieee-p1363' } as const;
  return {
    privateKey: keys.privateKey,
    jwks: { keys: [{ kty, crv, x, y }] },
    sign(claims, header) {
      const signed = `${encoded({ alg: 'ES256', ...header })}.${encoded(claims)}`;
      const signature = sign('sha256', Buffer.from(signed), signing).toString('base64url');
      return `${signed}.${signature}`;
    },
  };
}

/** A JWT without a signature. */
export function unsignedJwt(claims: object, header: object = {}): string {
  return `${encoded({ alg: 'none', ...header })}.${encoded(claims)}.`;
}

/** In seconds since 1970. */
export function inAMinute(): number {
  return Math.floor(Date.now() / 1_000) + 60;
}

function encoded(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url');
}
