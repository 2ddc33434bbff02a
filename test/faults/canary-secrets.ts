// Owns the secrets of the programs, and how one is protected in a settings file. Where they go is the fixture's.
import { KeyRing, passwordRingKey } from '@tessera/crypto';
import { Canaries } from './canaries.js';

export const canaries = new Canaries();

export const secrets = {
  database: canaries.make('database-password'),
  wrongDatabase: canaries.make('wrong-database-password'),
  user: canaries.make('static-user'),
  caller: canaries.make('wrong-password-of-a-caller'),
  bind: canaries.make('bind-password'),
  management: canaries.make('management-token'),
  secretId: canaries.make('secret-id'),
  wrongSecretId: canaries.make('wrong-secret-id'),
  vaultToken: canaries.make('vault-token'),
  basic: canaries.make('basic-password'),
  bearer: canaries.make('bearer-token'),
  standalone: canaries.make('standalone-password'),
  otherStandalone: canaries.make('other-standalone-password'),
  plain: canaries.make('plain-text'),
  passphrase: canaries.make('passphrase-of-a-key'),
  wrongPassphrase: canaries.make('wrong-passphrase-of-a-key'),
  encryptKey: canaries.make('encrypt-key'),
  keyStore: canaries.make('key-store-password'),
  wrongKeyStore: canaries.make('wrong-key-store-password'),
  git: canaries.make('git-password'),
  ofVault: canaries.make('role-in-vault'),
  ofCredential: canaries.make('filter-in-a-credential-file'),
  unlikeItsKey: canaries.make('wrong-value'),
};

const keyRings = new Map<string, Promise<KeyRing>>();

/** As an operator protects a value of the settings file. */
export async function protect(plain: string, password = secrets.standalone): Promise<string> {
  const open = async (): Promise<KeyRing> => {
    const key = { alias: 'p', password, salt: 'deadbeef', format: 'aes-gcm' } as const;
    return new KeyRing([await passwordRingKey(key)]);
  };
  const keys = keyRings.get(password) ?? open();
  keyRings.set(password, keys);
  return `{cipher}${await (await keys).encrypt(Buffer.from(plain))}`;
}
