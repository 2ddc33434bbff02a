// When the login page, or the page of consent, comes before an answer to an authorization request.
import { errors, interactionPolicy, type KoaContextWithOIDC } from 'oidc-provider';
import { isAuthorised, type Principal, type RegisteredClient } from '@tessera/services';
import type { OidcAccounts } from '../claims/accounts.js';
import type { CookieState } from '../library/cookie-state.js';

const { base, Check } = interactionPolicy;

type PolicyAccounts = Pick<OidcAccounts, 'registrationIn' | 'subjectOf'>;

/** Reasons for which a session is enough, once its user has seen the login page. */
const ANSWERED_BY_SESSION = ['no_session', 'confirmation'];

/** @param reasons of the prompt `login` */
export function needsCredentials(reasons: readonly string[]): boolean {
  return reasons.some((reason) => !ANSWERED_BY_SESSION.includes(reason));
}

/** The policy of the library, and the rules that registered services have besides. */
export function policyFor({
  registrationIn,
  subjectOf,
}: PolicyAccounts): interactionPolicy.DefaultPolicy {
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
  login?.checks.add(
    new Check('hinted_user', 'another user has signed in', 'login_required', async (ctx) => {
      await refuseUnlessHinted(subjectOf, ctx);
      return false;
    }),
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

/**
 * After the login page: the library compares the user with `id_token_hint` before it alone.
 *
 * @throws LoginRequired
 * @see OpenID Connect Core 1.0, section 3.1.2.1
 */
async function refuseUnlessHinted(
  subjectOf: PolicyAccounts['subjectOf'],
  ctx: KoaContextWithOIDC,
): Promise<void> {
  const { client, params, provider, result, session } = ctx.oidc;
  const hint = params?.['id_token_hint'];
  if (!result?.login || typeof hint !== 'string' || client === undefined) return;
  const { payload } = await provider.IdToken.validate(hint, client);
  const { accountId } = session ?? {};
  if (accountId !== undefined && payload['sub'] === subjectOf(ctx, accountId, client)) return;
  throw new errors.LoginRequired('another user than that of id_token_hint has signed in');
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
