// What the specs of protected settings share: a password, a value that it protects, and how the password is given.
import { KeyRing, passwordRingKey } from '@tessera/crypto';

export const PASSWORD = 'Mellon: speak, friend';
export const UNREADABLE =
  'cannot be decrypted with the password, the algorithm and the keys of sso.standalone.security.*';

const PREFIX = 'SSO_STANDALONE_SECURITY_';

/** A text under {@link PASSWORD}. */
export async function protectedText(plain: string): Promise<string> {
  const key = { alias: 'p', password: PASSWORD, salt: 'deadbeef', format: 'aes-gcm' } as const;
  return new KeyRing([await passwordRingKey(key)]).encrypt(Buffer.from(plain));
}

/** Variables of the environment. @param given by the ends of their names: `PASSWORD` */
export function securityEnvironment(
  given: Readonly<Record<string, string>>,
): Record<string, string> {
  return Object.fromEntries(Object.entries(given).map(([name, value]) => [PREFIX + name, value]));
}
