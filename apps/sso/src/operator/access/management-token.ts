// Checks the management token of programs, and counts wrong ones.
import { Inject, Injectable } from '@nestjs/common';
import { equalsInConstantTime } from '@tessera/crypto';
import { currentClientAddress, loggerFor } from '@tessera/logging';
import { AdmissionError, readAuthorization } from '@tessera/server';
import { AuthenticationThrottle, ThrottledError } from '@tessera/throttling';
import type { SsoSettings } from '../../settings/sso-settings.js';
import { ssoConfig } from '../../settings/namespaces.js';

const log = loggerFor('operator');

/** In the audit trail. No user of this name has a role: the trail could not tell the two apart. */
export const TOKEN_HOLDER = 'management token';

@Injectable()
export class ManagementToken {
  constructor(
    @Inject(ssoConfig.KEY) private readonly settings: SsoSettings,
    private readonly throttle: AuthenticationThrottle,
  ) {}

  /**
   * Whether the header has the token of the current settings. The right one is accepted from a blocked address too: nobody
   * guesses it.
   *
   * @throws AdmissionError AUTHENTICATION_THROTTLED for a wrong one
   */
  async isIn(header: string): Promise<boolean> {
    const authorization = readAuthorization(header);
    const { token } = this.settings.management;
    const isRight =
      authorization?.scheme === 'bearer' &&
      token !== undefined &&
      equalsInConstantTime(authorization.token, token.reveal());
    if (isRight) return true;
    const clientAddress = currentClientAddress();
    await this.count({ address: clientAddress ?? '', name: TOKEN_HOLDER });
    log.warn({ clientAddress }, 'a wrong management token was refused');
    return false;
  }

  private async count(subject: { readonly address: string; readonly name: string }): Promise<void> {
    const isFailure = (): boolean => true;
    try {
      await this.throttle.guard(subject, () => Promise.resolve(), isFailure);
    } catch (error) {
      if (!(error instanceof ThrottledError)) throw error;
      const { code, message, retryAfter } = error;
      throw new AdmissionError(code, 429, message, { 'Retry-After': String(retryAfter) });
    }
  }
}
