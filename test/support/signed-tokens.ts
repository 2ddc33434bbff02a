// Signed tokens (JWT), read as an application reads them: by the published keys, with the cryptography of Node.
import {
  createHmac,
  createPublicKey,
  generateKeyPairSync,
  type JsonWebKey,
  type KeyObject,
  sign,
  verify,
} from 'node:crypto';
import { http } from './http.js';
import { unsignedJwt } from './signing-client.js';
import type { Sso } from './sso.js';

type Members = Readonly<Record<string, unknown>>;

export interface Token {
  readonly header: Members;
  readonly payload: Members;
}

/** The parts of a token. Nobody has verified it. */
export function partsOf(token: string): Token {
  const [header, payload] = token
    .split('.', 2)
    .map((part) => JSON.parse(Buffer.from(part, 'base64url').toString()) as Members);
  return { header: header ?? {}, payload: payload ?? {} };
}

/** @throws Error for a token that no published key has signed */
export async function verifiedToken({ url }: Pick<Sso, 'url'>, token: string): Promise<Token> {
  const { body } = await http('GET', url, '/oidc/jwks');
  const { keys } = JSON.parse(body) as { readonly keys: readonly (JsonWebKey & Members)[] };
  const read = partsOf(token);
  const jwk = keys.find(({ kid }) => kid === read.header['kid']);
  const isOfKey = jwk !== undefined && jwk['alg'] === read.header['alg'];
  if (!isOfKey) throw new Error('no key has signed it');
  const key = createPublicKey({ key: jwk, format: 'jwk' });
  const [, signed = '', signature = ''] = /^(.*)\.([^.]*)$/.exec(token) ?? [];
  const options = { key, dsaEncoding: 'ieee-p1363' } as const;
  if (!verify('sha256', Buffer.from(signed), options, Buffer.from(signature, 'base64url'))) {
    throw new Error('its signature is not valid');
  }
  return read;
}

const STRANGER = generateKeyPairSync('rsa', { modulusLength: 2_048 }).privateKey;

/** Forgeries of a token of this server. */
export const FORGERIES = {
  unsigned: (token: string): string => unsignedJwt(partsOf(token).payload),
  /** With the name of the right key. */
  byStranger: (token: string, changes: Members = {}): string => {
    const { header, payload } = partsOf(token);
    return tokenOf(header, { ...payload, ...changes }, (text) =>
      sign('sha256', Buffer.from(text), STRANGER).toString('base64url'),
    );
  },
  /** The public key as a shared secret. */
  byPublicKey: (token: string, key: KeyObject): string => {
    const { header, payload } = partsOf(token);
    const secret = key.export({ type: 'spki', format: 'pem' });
    return tokenOf({ ...header, alg: 'HS256' }, payload, (text) =>
      createHmac('sha256', secret).update(text).digest('base64url'),
    );
  },
  changed: (token: string, changes: Members): string => {
    const { header, payload } = partsOf(token);
    return tokenOf(header, { ...payload, ...changes }, () => token.split('.')[2] ?? '');
  },
};

function tokenOf(header: Members, payload: Members, signer: (text: string) => string): string {
  const text = [header, payload]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.');
  return `${text}.${signer(text)}`;
}
