// When the login page, or the page of consent, comes before an answer to an authorization request.
import { errors, interactionPolicy, type KoaContextWithOIDC } from 'oidc-provider';
import { isAuthorised, type Principal, type RegisteredClient } from '@tessera/services';
import type { CookieState } from './library-requests.js';

const { base, Check } = interactionPolicy;

/** Reasons for which a session is enough, once its user has seen the login page. */
const ANSWERED_BY_SESSION = ['no_session', 'confirmation'];

/** @param reasons of the prompt `login` */
export function needsCredentials(reasons: readonly string[]): boolean {
  return reasons.some((reason) => !ANSWERED_BY_SESSION.includes(reason));
}

/** The policy of the library, and the rules that registered services have besides. */
export function policyFor(
  registrationIn: (ctx: KoaContextWithOIDC) => RegisteredClient | undefined,
): interactionPolicy.DefaultPolicy {
  const policy = base();
  const login = policy.get('login');
  login?.checks.add(
    new Check('new_login', 'the client requires a new login', 'login_required', (ctx) => {
      const { oidc } = ctx;
      return registrationIn(ctx)?.ssoEnabled === false && !oidc.result?.login;
    }),
  );
  login?.checks.add(
    new Check(
      'confirmation',
      'the user is asked first',
      'interaction_required',
      ({ oidc, state }) => {
        const { warn = false } = state as CookieState;
        return warn && oidc.session?.accountId !== undefined && !oidc.result?.login;
      },
    ),
  );
  const consent = policy.get('consent');
  // Ours is by client.
  consent?.checks.remove('native_client_prompt');
  consent?.checks.add(
    new Check('access', 'the user may not use the client', 'access_denied', (ctx) => {
      refuseUnlessAuthorised(registrationIn(ctx), ctx);
      return false;
    }),
    0,
  );
  return policy;
}

/** @throws AccessDenied */
function refuseUnlessAuthorised(
  registered: RegisteredClient | undefined,
  { oidc }: KoaContextWithOIDC,
): void {
  const principal = oidc.account?.['principal'] as Principal | undefined;
  if (registered && principal && isAuthorised(registered, principal, Date.now())) return;
  throw new errors.AccessDenied('the user may not use this client');
}
