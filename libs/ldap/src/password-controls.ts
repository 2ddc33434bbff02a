// What a server says about a password, in controls of its responses.
import { type BerReader, Control, PasswordPolicyControl } from 'ldapts';

/** How much longer a password that was accepted may be used. Both absent: the server did not say. */
export interface PasswordWarning {
  /** Seconds until it expires. */
  readonly expiresIn?: number | undefined;
  /** It has expired: the number of logins that it still serves for. */
  readonly graceLogins?: number | undefined;
}

/** Of older directories, which send them unasked. @see draft-vchu-ldap-pwd-policy-00 */
const NETSCAPE_EXPIRED = '2.16.840.1.113730.3.4.4';
const NETSCAPE_EXPIRING = '2.16.840.1.113730.3.4.5';

/** Codes of the password policy. */
const EXPIRED = 0;
const MUST_CHANGE = 2;

/** A control of responses alone. Its value is a text, not BER. */
class ResponseControl extends Control {
  value: string | undefined;

  override write(): void {
    // No server expects it in a request.
  }

  override parse({ buffer }: BerReader): void {
    this.value = buffer.toString('latin1');
  }
}

/** The controls of one request, and what its response said by them. */
export class PasswordControls {
  private readonly policy = new PasswordPolicyControl();
  private readonly expired = new ResponseControl(NETSCAPE_EXPIRED);
  private readonly expiring = new ResponseControl(NETSCAPE_EXPIRING);

  get all(): Control[] {
    return [this.policy, this.expired, this.expiring];
  }

  /** @param isSuccess whether the server has accepted the password @see draft-behera-ldap-password-policy-11 §6.2 */
  errorOf(isSuccess: boolean): number | undefined {
    const netscape = isSuccess ? MUST_CHANGE : EXPIRED;
    const { error, graceAuthNsRemaining } = this.policy.value ?? {};
    // 389 Directory Server sends Netscape's control for a grace login, too.
    const isSilent = this.expired.value === undefined || graceAuthNsRemaining !== undefined;
    return error ?? (isSilent ? undefined : netscape);
  }

  get warning(): PasswordWarning | undefined {
    const { timeBeforeExpiration, graceAuthNsRemaining } = this.policy.value ?? {};
    const seconds = /^\d{1,9}$/.test(this.expiring.value ?? '') ? this.expiring.value : undefined;
    const expiresIn = timeBeforeExpiration ?? (seconds === undefined ? undefined : Number(seconds));
    if (expiresIn === undefined && graceAuthNsRemaining === undefined) return undefined;
    return { expiresIn, graceLogins: graceAuthNsRemaining };
  }
}
