// Owns the ports between those who have tokens and Vault, and the tokens that somebody else sees to. Leases are next door.
import type { ClientCertificate } from '@tessera/http-client';
import { readSettingsFile, type SettingsFile } from './settings-file.js';

/** What Vault says of a token. */
export interface Login {
  readonly token: string;
  /** In milliseconds from when Vault was asked; infinite for one that does not expire. */
  readonly lifetime: number;
  readonly isRenewable: boolean;
}

/** Who we are, what proves it, and where it is presented. */
export interface LoginRequest {
  /** `auth/approle/login` */
  readonly path: string;
  readonly role: Readonly<Record<string, string>>;
  /** Secret, each of them. */
  readonly credentials: Readonly<Record<string, string>>;
  /** Shown to Vault from now on, by every connection that is opened. */
  readonly certificate?: ClientCertificate;
}

/** What Vault can be asked about tokens. Each throws VaultError; VAULT_REFUSED where Vault says no. */
export interface TokenCalls {
  logIn(request: LoginRequest): Promise<Login>;
  renew(token: string): Promise<Login>;
  lookUp(token: string): Promise<Login>;
}

/** Whoever has the tokens that requests carry. */
export interface TokenProvider {
  /** Asked before each request. @throws VaultError */
  token(vault: TokenCalls): Promise<string>;
  /** Told that Vault refuses what was asked with this token; asked again afterwards, it may give another. */
  refused?(token: string): void;
  /** Told that nobody will ask any more. */
  close?(): void;
}

/** The token in a file, which an agent may replace at any time. @throws VaultError VAULT_FILE_UNREADABLE, at each request */
export function tokenFile(file: SettingsFile): TokenProvider {
  return { token: () => readToken(file) };
}

/** What a file holds, without the white space around it. @throws VaultError VAULT_FILE_UNREADABLE */
export async function readToken(file: SettingsFile): Promise<string> {
  return (await readSettingsFile(file, checkToken)).trim();
}

function checkToken(text: string): void {
  // What is no header value would be quoted by the error that refuses it.
  if (!/^[\x21-\x7e]+$/.test(text.trim())) throw new Error('it holds no token');
}
