// Pseudonyms of users: different for each service, the same for the same service and user.
import { createHash, createHmac } from 'node:crypto';

const SHIBBOLETH = 'shibboleth:';

interface ShibbolethKey {
  /** The host that the service is known by. */
  readonly sector: string;
  readonly salt: string;
}

/** @param key of the service; a secret */
export function pseudonymOf(key: string, user: string): string {
  if (!key.startsWith(SHIBBOLETH)) {
    return createHmac('sha256', key).update(user).digest('base64url');
  }
  const { sector, salt } = JSON.parse(key.slice(SHIBBOLETH.length)) as ShibbolethKey;
  // As `ShibbolethCompatiblePersistentIdGenerator` of Apereo CAS does.
  return createHash('sha1')
    .update(`${sector}!${user}!${salt.replaceAll('\n', ' ')}`)
    .digest('base64');
}

/** The key for the pairwise identifiers of Apereo CAS, and of Shibboleth: Base64 of SHA-1 of sector, user and salt. */
export function shibbolethKey({ sector, salt }: ShibbolethKey): string {
  return SHIBBOLETH + JSON.stringify({ sector, salt });
}
