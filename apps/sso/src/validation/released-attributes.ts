// Owns which attributes a validation releases: those of the service's policy, and what the protocol itself says of the
// login. Pure.
import { release, type Attributes } from '@tessera/services';
import type { Assertion } from '@tessera/tickets';

/** @see SAML 1.1 core §7.1 */
const SAML_METHODS: Readonly<Record<string, string>> = {
  UsernamePasswordCredential: 'urn:oasis:names:tc:SAML:1.0:am:password',
  X509CertificateCredential: 'urn:oasis:names:tc:SAML:1.0:am:X509-PKI',
};
const SAML_UNSPECIFIED = 'urn:oasis:names:tc:SAML:1.0:am:unspecified';

export interface Released {
  readonly user: string;
  readonly attributes: Attributes;
}

/** A user's attribute never stands in for one of the protocol's, whatever its name. */
export function releasedTo(assertion: Assertion): Released {
  const { id, attributes } = release(
    assertion.registeredService,
    assertion.authentication.principal,
  );
  return { user: id, attributes: { ...attributes, ...protocolAttributes(assertion) } };
}

/** Names and forms are those existing clients parse; times in UTC with milliseconds and `Z`, no zone suffix. */
function protocolAttributes({ authentication, fromNewLogin }: Assertion): Attributes {
  const { authenticatedAt, credentialType, handler } = authentication;
  return {
    authenticationDate: [authenticatedAt.toISOString()],
    isFromNewLogin: [String(fromNewLogin)],
    longTermAuthenticationRequestTokenUsed: ['false'],
    credentialType: [credentialType],
    authenticationMethod: [handler],
    successfulAuthenticationHandlers: [handler],
    samlAuthenticationStatementAuthMethod: [SAML_METHODS[credentialType] ?? SAML_UNSPECIFIED],
  };
}
