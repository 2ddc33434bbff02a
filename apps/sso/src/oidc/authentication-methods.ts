// The methods of a login, by the names that clients know. @see RFC 8176
import type { Authentication } from '@tessera/tickets';

export function methodsOf({ credentialType }: Authentication): string[] {
  return credentialType.includes('X509') ? ['swk'] : ['pwd'];
}
