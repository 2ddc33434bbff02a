// Whether a user is asked before a client gets anything, and what a refusal is called.
import type { ClientDefinition } from '@tessera/services';
import type { OidcSettings } from '../settings/oidc-settings.js';

export type ConsentRule = 'always' | 'once' | 'never';

/** Tells the answer of the user from that of a user who may not use the client: both are `access_denied`. */
export const DENIED_BY_USER = 'the user has refused';

/** @param prompt of the authorization request: with `consent` in it, the user is always asked */
export function consentRuleFor(
  { consent }: Pick<ClientDefinition, 'consent'>,
  prompt: unknown,
  settings: Pick<OidcSettings, 'consent'>,
): ConsentRule {
  const isRequested = typeof prompt === 'string' && prompt.split(' ').includes('consent');
  return isRequested ? 'always' : (consent ?? settings.consent);
}
