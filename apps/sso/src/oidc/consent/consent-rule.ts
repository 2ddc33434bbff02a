// Whether a user is asked before a client gets anything.
import type { ClientDefinition } from '@tessera/services';
import type { OidcSettings } from '../../settings/oidc-settings.js';

export type ConsentRule = 'always' | 'once' | 'never';

/** What a request says itself. */
interface AskingRequest {
  /** With `consent` in it, the user is always asked. */
  readonly prompt?: unknown;
  /** Those that the library has left. Access without the session is always asked for. */
  readonly scopes: readonly string[];
}

/** Anybody can pretend to be a native client, so its users are asked. @see RFC 8252, section 8.6 */
export function consentRuleFor(
  { consent, applicationType }: Pick<ClientDefinition, 'consent' | 'applicationType'>,
  { prompt, scopes }: AskingRequest,
  settings: Pick<OidcSettings, 'consent'>,
): ConsentRule {
  const isRequested = typeof prompt === 'string' && prompt.split(' ').includes('consent');
  if (isRequested || scopes.includes('offline_access')) return 'always';
  return consent ?? (applicationType === 'native' ? 'always' : settings.consent);
}
