// The settings of passwords that expire, and of their change by users.
import { Max, Min } from 'class-validator';
import { boolean, duration, integer, Setting, text } from '@tessera/config';

const DAY = 24 * 60 * 60 * 1_000;

export class PasswordSettings {
  /** How long before the end of a password users are told at each login; 0 tells nobody. */
  @Setting('sso.authentication.password.warn-before', duration)
  @Min(0)
  @Max(365 * DAY)
  warnBefore = 14 * DAY;

  /** Of a new password, in characters. */
  @Setting('sso.authentication.password.min-length', integer) @Min(8) @Max(128) minLength = 8;
  /** Passwords that nobody may choose, one a line, besides our own list. */
  @Setting('sso.authentication.password.common-file', text) commonFile = '';
  /** The number of last passwords of an account that its user may not choose again. */
  @Setting('sso.authentication.password.history', integer) @Min(0) @Max(24) history = 0;
  /** From the change of an account's password to its end; 0 for no end. */
  @Setting('sso.authentication.accounts.password-max-age', duration)
  @Min(0)
  @Max(3_650 * DAY)
  maxAge = 0;
  /** Whether users may change the passwords of their accounts. */
  @Setting('sso.authentication.accounts.password-change', boolean) accountsChange = false;
}
