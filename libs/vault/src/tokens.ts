// Owns the port of those who have tokens, and the two for whom somebody else sees to them. Logins are next door.
import { readSettingsFile, type SettingsFile } from './settings-file.js';

/** What a login gives. */
export interface Login {
  readonly token: string;
  /** In milliseconds from now; infinite for one that does not expire. */
  readonly lifetime: number;
}

/**
 * Presents credentials at a path such as `auth/approle/login`.
 *
 * @throws VaultError VAULT_REFUSED where they are not taken
 */
export type LogIn = (path: string, credentials: Readonly<Record<string, string>>) => Promise<Login>;

/** Whoever has the tokens that requests carry. */
export interface TokenProvider {
  /** Asked before each request. @throws VaultError */
  token(logIn: LogIn): Promise<string>;
  /** Told that Vault refuses what was asked with this token; asked again afterwards, it may give another. */
  refused?(token: string): void;
}

/** @param reveal gives the token, which so stays out of sight */
export function fixedToken(reveal: () => string): TokenProvider {
  return { token: () => Promise.resolve(reveal()) };
}

/** The token in a file, which an agent may replace at any time. @throws VaultError VAULT_FILE_UNREADABLE, at each request */
export function tokenFile(file: SettingsFile): TokenProvider {
  return { token: async () => (await readSettingsFile(file, checkToken)).trim() };
}

function checkToken(text: string): void {
  // What is no header value would be quoted by the error that refuses it.
  if (!/^[\x21-\x7e]+$/.test(text.trim())) throw new Error('it holds no token');
}
