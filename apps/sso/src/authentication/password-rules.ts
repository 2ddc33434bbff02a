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
const MAX_FILE_BYTES = 32 * 1_024 * 1_024;
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
    if (change.newPassword.normalize('NFC') === change.password.normalize('NFC')) {
      return 'PASSWORD_UNCHANGED';
    }
    const length = Array.from(change.newPassword).length;
    if (length < this.minLength) return 'PASSWORD_TOO_SHORT';
    if (length > MAX_LENGTH) return 'PASSWORD_TOO_LONG';
    const [name, given] = [folded(change.username), folded(change.newPassword)];
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
  return reading.content.toString('utf8').split(/\r?\n/).filter(Boolean);
}

function folded(text: string): string {
  return text.normalize('NFKC').toLowerCase();
}
