// The answer of /oauth2.0/profile, in the form of Apereo CAS: all that the application may have of the user, by their own names.
import type { IncomingMessage } from 'node:http';
import type { KoaContextWithOIDC, Provider } from 'oidc-provider';
import type { Principal } from '@tessera/services';

/** Requests for /userinfo that came to /oauth2.0/profile. */
const profileRequests = new WeakSet<IncomingMessage>();

export function markProfileRequest(request: IncomingMessage): void {
  profileRequests.add(request);
}

/** The library checks the token, and answers as for /userinfo: that answer is replaced. */
export function answerProfiles(provider: Provider): void {
  provider.use(async (ctx, next) => {
    await next();
    if (!profileRequests.has(ctx.req) || ctx.status !== 200) return;
    const { oidc } = ctx as KoaContextWithOIDC;
    const { account } = oidc;
    const scopes = oidc.accessToken?.scope?.split(' ') ?? [];
    if (account === undefined || !hasAllScopes(oidc.client, scopes)) {
      ctx.status = 403;
      ctx.set('WWW-Authenticate', `Bearer realm="${provider.issuer}", error="insufficient_scope"`);
      ctx.body = { error: 'insufficient_scope' };
      return;
    }
    const profileOf = account['profileOf'] as (scopes: readonly string[]) => Principal;
    ctx.body = { ...shown(profileOf(scopes)), client_id: oidc.client?.clientId };
  });
}

/** Otherwise a token of few scopes would tell more than its user has agreed to. */
function hasAllScopes(
  client: KoaContextWithOIDC['oidc']['client'],
  granted: readonly string[],
): boolean {
  return scopesForOAuth(client?.scope?.split(' ') ?? []).every((each) => granted.includes(each));
}

/** Of a request at /oauth2.0/authorize, whatever it asks for. @param scopes of the client */
export function scopesForOAuth(scopes: readonly string[]): readonly string[] {
  return scopes.filter((each) => each !== 'offline_access');
}

function shown({ id, attributes }: Principal): { id: string; attributes: object } {
  const values = Object.entries(attributes).map(([name, all]) => {
    const [first, ...others] = all;
    return [name, others.length === 0 ? first : all] as const;
  });
  return { id, attributes: Object.fromEntries(values) };
}
