// Whether a user is asked before a client gets anything.
import type { ClientDefinition } from '@tessera/services';
import type { OidcSettings } from '../settings/oidc-settings.js';

export type ConsentRule = 'always' | 'once' | 'never';

/** @param prompt of the authorization request: with `consent` in it, the user is always asked */
export function consentRuleFor(
  { consent }: Pick<ClientDefinition, 'consent'>,
  prompt: unknown,
  settings: Pick<OidcSettings, 'consent'>,
): ConsentRule {
  const isRequested = typeof prompt === 'string' && prompt.split(' ').includes('consent');
  return isRequested ? 'always' : (consent ?? settings.consent);
}
