// Maps LDAP result codes to refusals of a user and to errors.
import { LdapError, unavailable } from './ldap-error.js';
import type { PasswordWarning } from './password-controls.js';

/** Why a user was refused. */
export type LdapRefusal =
  | 'unknown user'
  | 'ambiguous user'
  | 'no usable id'
  | 'wrong password'
  | 'unusable password hash'
  | 'password expired'
  | 'password must change'
  | 'account disabled'
  | 'account expired'
  | 'account locked'
  | 'login not permitted';

/** The response to a bind. */
export interface BindAnswer {
  /** @see RFC 4511 §4.1.9 */
  readonly code: number;
  /** The diagnostic message, which contains Active Directory's own codes. */
  readonly message: string;
  /** @see draft-behera-ldap-password-policy-11 §6.2 */
  readonly policyError?: number | undefined;
  /** Of a password that was accepted. */
  readonly warning?: PasswordWarning | undefined;
}

const SUCCESS = 0;
const INVALID_CREDENTIALS = 49;

/** The codes about the user who binds. All others are errors of the directory or of the configuration. */
const REFUSALS: ReadonlyMap<number, LdapRefusal> = new Map([
  [10, 'unknown user'], // referral: kept elsewhere, where we do not follow
  [19, 'account locked'], // constraintViolation: 389 Directory Server, too many failures
  [32, 'unknown user'], // noSuchObject
  [34, 'unknown user'], // invalidDNSyntax: no entry can have such a name
  [48, 'unusable password hash'], // inappropriateAuthentication: the entry has no password
  [INVALID_CREDENTIALS, 'wrong password'],
  [50, 'login not permitted'], // insufficientAccessRights
  [53, 'login not permitted'], // unwillingToPerform: 389 Directory Server, account inactivated
]);

/** Active Directory's `data` in the message of invalidCredentials. @see Windows error codes */
const WINDOWS_REFUSALS: ReadonlyMap<string, LdapRefusal> = new Map([
  ['525', 'unknown user'],
  ['52e', 'wrong password'],
  ['530', 'login not permitted'], // not at this time
  ['531', 'login not permitted'], // not from this computer
  ['532', 'password expired'],
  ['533', 'account disabled'],
  ['534', 'login not permitted'], // not by this kind of login
  ['701', 'account expired'],
  ['773', 'password must change'],
  ['775', 'account locked'],
]);

const POLICY_REFUSALS: ReadonlyMap<number, LdapRefusal> = new Map([
  [0, 'password expired'],
  [1, 'account locked'],
  [2, 'password must change'], // changeAfterReset: the bind succeeds, for a change of password alone
]);

/** timeLimitExceeded, busy, unavailable, other: the same request may succeed later. */
const TEMPORARY_CODES: ReadonlySet<number> = new Set([3, 51, 52, 80]);

/**
 * Why the user is refused; `undefined` after a successful bind.
 *
 * @throws LdapError for codes that are not about the user
 */
export function refusalOf({ code, message, policyError }: BindAnswer): LdapRefusal | undefined {
  const byPolicy = policyError === undefined ? undefined : POLICY_REFUSALS.get(policyError);
  if (code === SUCCESS) return policyError === 2 ? byPolicy : undefined;
  const refusal = REFUSALS.get(code);
  if (refusal === undefined) throw errorOfResult(code, message);
  if (code !== INVALID_CREDENTIALS) return refusal;
  const data = /\bdata ([\da-f]+)\b/i.exec(message)?.[1]?.toLowerCase() ?? '';
  return byPolicy ?? WINDOWS_REFUSALS.get(data) ?? refusal;
}

/** The error for a result that is not about the user. @param said diagnostic message of the directory */
export function errorOfResult(code: number, said: string): LdapError {
  const cause = new Error(`LDAP result ${code}: ${said}`);
  return TEMPORARY_CODES.has(code)
    ? unavailable(cause)
    : new LdapError('LDAP_REFUSED', 'The directory refuses what logins need of it.', cause);
}
