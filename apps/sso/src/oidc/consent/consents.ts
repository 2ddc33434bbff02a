// What users allow clients: asked for on a page, remembered, listed on the page of the session, and taken back there.
import { Inject, Injectable } from '@nestjs/common';
import { type AuditEvent, AuditTrail } from '@tessera/audit';
import type { RegisteredClient } from '@tessera/services';
import type { Session } from '../../login/browser-session.js';
import type { GivenConsent, GivenConsents } from '../../login/given-consents.js';
import { LoginContinuation } from '../../login/login-continuation.js';
import { ssoConfig } from '../../settings/namespaces.js';
import type { SsoSettings } from '../../settings/sso-settings.js';
import { scopesOf } from '../claims/claims.js';
import { consentRuleFor } from './consent-rule.js';
import { ConsentStore } from '../storage/consent-store.js';

@Injectable()
export class Consents implements GivenConsents {
  constructor(
    logins: LoginContinuation,
    private readonly store: ConsentStore,
    private readonly auditTrail: AuditTrail,
    @Inject(ssoConfig.KEY) private readonly settings: Pick<SsoSettings, 'oidc'>,
  ) {
    logins.addConsents(this);
  }

  /** The scopes of an authorization request that the user is to be asked for. */
  async missing(
    { id, client }: RegisteredClient,
    { scope, prompt }: Readonly<Record<string, unknown>>,
    principal: string,
  ): Promise<readonly string[]> {
    const requested = this.inOrder(typeof scope === 'string' ? scope.split(' ') : []);
    const rule = consentRuleFor(client, { prompt, scopes: requested }, this.settings.oidc);
    if (rule === 'never') return [];
    const allowed = rule === 'always' ? [] : await this.store.scopesOf(principal, id);
    return requested.filter((each) => !allowed.includes(each));
  }

  async allow(
    session: Session,
    { id, clientId }: RegisteredClient,
    scopes: readonly string[],
  ): Promise<void> {
    await this.store.add(session.authentication.principal.id, id, scopes);
    this.record('GRANT_CONSENT', session, { clientId, scopes });
  }

  deny(session: Session, { clientId }: RegisteredClient, scopes: readonly string[]): void {
    this.record('GRANT_CONSENT', session, { clientId, scopes }, 'CONSENT_DENIED');
  }

  async of(principal: string): Promise<readonly GivenConsent[]> {
    const stored = await this.store.of(principal);
    return stored.map(({ serviceId, name, scopes, changedAt }) => {
      return { id: serviceId, name, scopes: this.inOrder(scopes), changedAt };
    });
  }

  /** Ends all tokens that the client has for the user, too. @param serviceId any text */
  async withdraw(session: Session, serviceId: string): Promise<void> {
    const principal = session.authentication.principal.id;
    const given = await this.store.of(principal);
    const withdrawn = given.find((each) => each.serviceId === serviceId);
    if (withdrawn === undefined) return;
    await this.store.remove(principal, serviceId);
    this.record('WITHDRAW_CONSENT', session, withdrawn);
  }

  /** Those of this server, in the order of its metadata. */
  private inOrder(scopes: readonly string[]): readonly string[] {
    return Object.keys(scopesOf(this.settings.oidc)).filter((each) => scopes.includes(each));
  }

  private record(
    action: AuditEvent['action'],
    { tgt, authentication }: Session,
    { clientId, scopes }: { readonly clientId: string; readonly scopes: readonly string[] },
    reason?: string,
  ): void {
    this.auditTrail.record({
      action,
      outcome: reason === undefined ? 'success' : 'failure',
      reason,
      principal: authentication.principal.id,
      service: clientId,
      session: tgt,
      details: { scopes },
    });
  }
}
