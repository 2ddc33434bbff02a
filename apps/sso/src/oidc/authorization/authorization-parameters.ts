// What the parameters of authorization requests may be: anybody sends them, and they are stored until a user has signed in.
import { errors, type KoaContextWithOIDC } from 'oidc-provider';

/** Characters of a parameter. */
const MAX_LENGTH = 2_000;
/** Of signed texts. */
const MAX_LENGTHS: Readonly<Record<string, number>> = { id_token_hint: 8_000, request: 16_000 };

export const NO_SCOPE = 'has no scope of this server';

/** Those with texts that are refused. The database stores neither NUL nor half a surrogate pair. */
export function faultsIn(
  parameters: Iterable<readonly [string, unknown]>,
): readonly { readonly parameter: string; readonly reason: string; readonly error: string }[] {
  return [...parameters].flatMap(([parameter, value]) => {
    const reason = typeof value === 'string' ? reasonToRefuse(parameter, value) : undefined;
    return reason === undefined ? [] : [{ parameter, reason, error: 'invalid_request' }];
  });
}

function reasonToRefuse(name: string, value: string): string | undefined {
  if (value.length > (MAX_LENGTHS[name] ?? MAX_LENGTH)) return 'is too long';
  const isAllowed = value.isWellFormed() && !/\p{Cc}/u.test(value);
  return isAllowed ? undefined : 'has characters that are not allowed';
}

/**
 * Looks at all parameters that the library knows, those of a request object too. The library itself would refuse a request
 * without a scope only after the login, as `access_denied`.
 *
 * @throws InvalidRequest
 * @throws CustomOIDCProviderError `invalid_scope` without a scope of this server: there is no default
 * @see RFC 6749, section 3.3
 */
export function checkParameters({ oidc, query }: KoaContextWithOIDC): void {
  const { request } = oidc.body ?? query;
  const [fault] = faultsIn(Object.entries({ ...oidc.params, request }));
  if (fault) throw new errors.InvalidRequest(`${fault.parameter} ${fault.reason}`);
  if (oidc.requestParamOIDCScopes.size > 0) return;
  throw new errors.CustomOIDCProviderError('invalid_scope', `scope ${NO_SCOPE}`);
}
