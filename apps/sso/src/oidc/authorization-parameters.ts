// What the parameters of authorization requests may be: anybody sends them, and they are stored until a user has signed in.
import { errors, type KoaContextWithOIDC } from 'oidc-provider';

/** Characters of a parameter. */
const MAX_LENGTH = 2_000;
/** Of signed texts. */
const MAX_LENGTHS: Readonly<Record<string, number>> = { id_token_hint: 8_000, request: 16_000 };

/**
 * Looks at all parameters that the library knows, those of a request object too. The database stores neither NUL nor
 * half a surrogate pair.
 *
 * @throws InvalidRequest
 */
export function checkParameters({ oidc, query }: KoaContextWithOIDC): void {
  const { request } = oidc.body ?? query;
  for (const [name, value] of Object.entries({ ...oidc.params, request })) {
    if (typeof value !== 'string') continue;
    if (value.length > (MAX_LENGTHS[name] ?? MAX_LENGTH)) {
      throw new errors.InvalidRequest(`${name} is too long`);
    }
    if (/\p{Cc}/u.test(value) || !value.isWellFormed()) {
      throw new errors.InvalidRequest(`${name} has characters that are not allowed`);
    }
  }
}
