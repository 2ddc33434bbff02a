// The library's session is the TGT: there is nothing to write, and its id is the handle of the TGT.
import { type AdapterPayload, Provider } from 'oidc-provider';
import type { GrantingTicketHandle } from '@tessera/tickets';
import { methodsOf } from '../interaction/authentication-methods.js';
import type { CookieState } from '../library/cookie-state.js';
import { formSecretOf } from '../library/form-secret.js';
import type { RequestSessions } from '../claims/request-sessions.js';
import type { OidcStore } from './oidc-store.js';
import { PartialAdapter } from './partial-adapter.js';

export class SessionAdapter extends PartialAdapter {
  constructor(
    private readonly sessions: Pick<RequestSessions, 'find'>,
    private readonly store: Pick<OidcStore, 'grantsOf'>,
  ) {
    super();
  }

  /** @param id a handle: the middleware before the library lets no other session be named */
  async find(id: string): Promise<AdapterPayload | undefined> {
    const [session, grants] = await Promise.all([
      this.sessions.find(id),
      isHandle(id) ? this.store.grantsOf(id) : [],
    ]);
    if (session === undefined) return undefined;
    const { authentication, expiresAt } = session;
    return {
      kind: 'Session',
      jti: id,
      uid: id,
      accountId: authentication.principal.id,
      loginTs: seconds(authentication.authenticatedAt),
      amr: methodsOf(authentication),
      iat: seconds(authentication.authenticatedAt),
      exp: seconds(expiresAt),
      ...formState(),
      authorizations: Object.fromEntries(
        grants.map(({ clientId, sid, id: grantId }) => [clientId, { sid, grantId }]),
      ),
    };
  }

  override findByUid(uid: string): Promise<AdapterPayload | undefined> {
    return this.find(uid);
  }
}

/** What the library compares a form of devices with. It would store a random text; ours is that of the session. */
function formState(): { state?: { secret: string } } {
  const { tgt } = (Provider.ctx?.state ?? {}) as CookieState;
  const isForm = Provider.ctx?.oidc.route === 'code_verification';
  return isForm && tgt !== undefined ? { state: { secret: formSecretOf(tgt) } } : {};
}

function isHandle(id: string): id is GrantingTicketHandle {
  return /^[0-9a-f]{64}$/.test(id);
}

function seconds(time: Date): number {
  return Math.floor(time.getTime() / 1_000);
}
