// Sign-ins that continue with an interaction: what the login page has found is stored, and the browser goes back to it.
import { Inject, Injectable } from '@nestjs/common';
import { currentClientAddress, loggerFor } from '@tessera/logging';
import { handleOf, parseTicketId } from '@tessera/tickets';
import type { Session } from '../../login/browser-session.js';
import { LoginContinuation } from '../../login/login-continuation.js';
import type { LoginOutcome, ServiceRefused, SignInApplication } from '../../login/login-outcome.js';
import type { LoginRequest } from '../../login/login-request.js';
import type { ShownApplication } from '../../login/pages.js';
import type { SignInContinuation } from '../../login/sign-in-continuation.js';
import { ssoConfig } from '../../settings/namespaces.js';
import type { SsoSettings } from '../../settings/sso-settings.js';
import { deviceCodeIn } from '../device/device-sign-in.js';
import { ENDPOINTS } from '../paths/endpoints.js';
import { Interactions } from './interactions.js';

const log = loggerFor('oidc');

@Injectable()
export class InteractionContinuation implements SignInContinuation {
  constructor(
    logins: LoginContinuation,
    private readonly interactions: Interactions,
    @Inject(ssoConfig.KEY) private readonly settings: Pick<SsoSettings, 'contextPath' | 'theme'>,
  ) {
    logins.addInteractions(this);
  }

  async applicationOf({
    interaction: uid = '',
  }: LoginRequest): Promise<SignInApplication | undefined> {
    // Which application it is is known once the user has entered the code.
    if (deviceCodeIn(uid) !== undefined) {
      return { name: this.settings.theme.name, ssoEnabled: true };
    }
    const interaction = await this.interactions.find(uid);
    return interaction && this.interactions.applicationOf(interaction);
  }

  refuse(): ServiceRefused {
    const fields = { clientAddress: currentClientAddress() };
    log.info(fields, 'the login page was asked for an authorization request that has ended');
    return {
      kind: 'service-refused',
      reason: 'expired',
      application: undefined,
      redirectUrl: undefined,
    };
  }

  async proceed(
    { tgt }: Pick<Session, 'tgt'>,
    { interaction: uid = '' }: LoginRequest,
    { withCredentials }: { readonly withCredentials: boolean },
  ): Promise<LoginOutcome | undefined> {
    const userCode = deviceCodeIn(uid);
    if (userCode !== undefined) return this.toDevicePage(userCode);
    const interaction = await this.interactions.find(uid);
    if (interaction === undefined) return this.refuse();
    if (!withCredentials && this.interactions.needsCredentials(interaction)) return undefined;
    const id = parseTicketId(tgt);
    if (id === undefined) return undefined;
    await this.interactions.recordVisit(interaction, { session: handleOf(id), withCredentials });
    return { kind: 'redirect', url: `${this.interactions.issuer}/interaction/${uid}` };
  }

  shown(application: string): ShownApplication | undefined {
    const name = this.interactions.registrationOf(application)?.name;
    return name === undefined ? undefined : { name };
  }

  private toDevicePage(userCode: string): LoginOutcome {
    const page = `${this.settings.contextPath}/oidc${ENDPOINTS.code_verification}`;
    const query = new URLSearchParams({ user_code: userCode });
    return { kind: 'redirect', url: userCode === '' ? page : `${page}?${query.toString()}` };
  }

  leave(): undefined {
    return undefined;
  }
}
