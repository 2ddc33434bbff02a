// The rules of new passwords: length, and no common ones. No character is required. @see NIST SP 800-63B §5.1.1.2
import { readRegularFile } from '@tessera/runtime';
import type { PasswordSettings } from '../settings/password-settings.js';
import { COMMON_PASSWORDS } from './common-passwords.js';
import { PasswordListError } from './password-list-error.js';

export type PasswordViolation =
  | 'PASSWORD_UNCHANGED'
  | 'PASSWORD_TOO_SHORT'
  | 'PASSWORD_TOO_LONG'
  | 'PASSWORD_COMMON'
  | 'PASSWORD_CONTAINS_NAME';

/** As the operator's API and directories take them. */
const MAX_LENGTH = 1_000;
/** A million passwords. A larger file would hold each process up for seconds, at each reload. */
const MAX_FILE_BYTES = 8 * 1_024 * 1_024;
/** Normalising takes quadratic time in a run of combining marks, and the form may have 64 KiB of them. */
const MAX_NORMALISED = 4 * MAX_LENGTH;
/** A shorter name is in many words. */
const MIN_NAME_LENGTH = 4;

export class PasswordRules {
  private constructor(
    private readonly minLength: number,
    private readonly common: ReadonlySet<string>,
  ) {}

  /** @throws PasswordListError */
  static async load({ minLength, commonFile }: PasswordRuleSettings): Promise<PasswordRules> {
    const listed = commonFile === '' ? [] : await readList(commonFile);
    return new PasswordRules(minLength, new Set([...COMMON_PASSWORDS, ...listed].map(folded)));
  }

  /** The first rule that the new password breaks. */
  violationOf(change: {
    readonly username: string;
    readonly password: string;
    readonly newPassword: string;
  }): PasswordViolation | undefined {
    const { username, password, newPassword } = change;
    const length = Array.from(newPassword).length;
    if (length > MAX_LENGTH) return 'PASSWORD_TOO_LONG';
    if (password.length <= MAX_NORMALISED && nfc(password) === nfc(newPassword)) {
      return 'PASSWORD_UNCHANGED';
    }
    if (length < this.minLength) return 'PASSWORD_TOO_SHORT';
    const [name, given] = [folded(username), folded(newPassword)];
    if (this.common.has(given)) return 'PASSWORD_COMMON';
    return name.length >= MIN_NAME_LENGTH && given.includes(name)
      ? 'PASSWORD_CONTAINS_NAME'
      : undefined;
  }
}

type PasswordRuleSettings = Pick<PasswordSettings, 'minLength' | 'commonFile'>;

async function readList(path: string): Promise<readonly string[]> {
  const reading = await readRegularFile(path, MAX_FILE_BYTES);
  if ('error' in reading) {
    const setting = 'sso.authentication.password.common-file';
    throw new PasswordListError(`${setting}: ${path} ${reading.error}`);
  }
  // The decoder drops a byte order mark.
  return new TextDecoder().decode(reading.content).split(/\r?\n/).filter(Boolean);
}

function nfc(text: string): string {
  return text.normalize('NFC');
}

function folded(text: string): string {
  return text.normalize('NFKC').toLowerCase();
}
