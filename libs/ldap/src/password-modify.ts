// Requests that change a password, and what servers answer to them.
import { Attribute, BerWriter, Change, type Client, type Control } from 'ldapts';
import { errorOfResult, type BindAnswer } from './result-codes.js';

/** `rfc3062`: the extended operation; `ad`: the attribute `unicodePwd` of Active Directory, over TLS alone. */
export type PasswordChangeKind = 'rfc3062' | 'ad';

export interface PasswordModification {
  readonly kind: PasswordChangeKind;
  readonly dn: string;
  readonly oldPassword: string;
  readonly newPassword: string;
}

/** Why a server refuses a new password; `wrong password`: the old one. */
export type PasswordRefusal =
  | 'wrong password'
  | 'password too short'
  | 'password too weak'
  | 'password in history'
  | 'password too young'
  | 'password not accepted'
  | 'change not permitted';

const MODIFY_PASSWORD = '1.3.6.1.4.1.4203.1.11.1';
const USER = 0x80;
const OLD = 0x81;
const NEW = 0x82;

export async function sendModification(
  client: Client,
  { kind, dn, oldPassword, newPassword }: PasswordModification,
  controls: Control[],
): Promise<void> {
  if (kind === 'ad') {
    const change = (operation: 'delete' | 'add', password: string): Change => {
      const values = [quoted(password)];
      return new Change({ operation, modification: new Attribute({ type: 'unicodePwd', values }) });
    };
    await client.modify(dn, [change('delete', oldPassword), change('add', newPassword)], controls);
  } else {
    await client.exop(MODIFY_PASSWORD, requestValue(dn, oldPassword, newPassword), controls);
  }
}

/** @see RFC 3062 §2 */
function requestValue(dn: string, oldPassword: string, newPassword: string): Buffer {
  const writer = new BerWriter();
  writer.startSequence();
  writer.writeString(dn, USER);
  writer.writeString(oldPassword, OLD);
  writer.writeString(newPassword, NEW);
  writer.endSequence();
  return writer.buffer;
}

/** @see MS-ADTS §3.1.1.3.1.5.1 */
function quoted(password: string): Buffer {
  return Buffer.from(`"${password}"`, 'utf16le');
}

/** @see draft-behera-ldap-password-policy-11 §6.2 */
const POLICY_REFUSALS: ReadonlyMap<number, PasswordRefusal> = new Map([
  [3, 'change not permitted'],
  [4, 'change not permitted'], // the old password is missing, which it never is
  [5, 'password too weak'],
  [6, 'password too short'],
  [7, 'password too young'],
  [8, 'password in history'],
]);

const REFUSALS: ReadonlyMap<number, PasswordRefusal> = new Map([
  [2, 'change not permitted'], // protocolError: OpenLDAP and 389, an operation that is not offered
  [8, 'change not permitted'], // strongerAuthRequired
  [13, 'change not permitted'], // confidentialityRequired
  [19, 'password not accepted'], // constraintViolation
  [49, 'wrong password'],
  [50, 'change not permitted'], // insufficientAccessRights
  [53, 'change not permitted'], // unwillingToPerform
]);

/** Windows error codes at the start of Active Directory's message. */
const WINDOWS_REFUSALS: ReadonlyMap<string, PasswordRefusal> = new Map([
  ['00000056', 'wrong password'],
  ['0000052D', 'password not accepted'], // length, history, age or complexity: it does not say which
]);

/**
 * Why the password was not changed; undefined where it was.
 *
 * @throws LdapError for codes that are not about the password
 */
export function passwordRefusalOf(answer: BindAnswer): PasswordRefusal | undefined {
  const { code, message, policyError } = answer;
  if (code === 0) return undefined;
  const windows = /^([\dA-F]{8}):/i.exec(message)?.[1]?.toUpperCase() ?? '';
  const refusal =
    POLICY_REFUSALS.get(policyError ?? -1) ?? WINDOWS_REFUSALS.get(windows) ?? REFUSALS.get(code);
  if (refusal === undefined) throw errorOfResult(code, message);
  return refusal;
}
