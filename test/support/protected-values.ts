// Encrypted settings values for the specs, and the variables with their password.
import { KeyRing, passwordRingKey } from '@tessera/crypto';

export const PASSWORD = 'Mellon: speak, friend';
export const UNREADABLE =
  'cannot be decrypted with the password, the algorithm and the keys of sso.standalone.security.*';

const PREFIX = 'SSO_STANDALONE_SECURITY_';

/** A text encrypted with {@link PASSWORD}, without `{cipher}`. */
export async function protectedText(plain: string): Promise<string> {
  const key = { alias: 'p', password: PASSWORD, salt: 'deadbeef', format: 'aes-gcm' } as const;
  return new KeyRing([await passwordRingKey(key)]).encrypt(Buffer.from(plain));
}

/** Environment variables. @param given values by the end of the name, such as `PASSWORD` */
export function securityEnvironment(
  given: Readonly<Record<string, string>>,
): Record<string, string> {
  return Object.fromEntries(Object.entries(given).map(([name, value]) => [PREFIX + name, value]));
}
