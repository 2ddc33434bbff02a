// The attributes that a validation releases: those that the service's policy permits, and those of the protocol.
import { release, type Attributes } from '@tessera/services';
import type { Assertion } from '@tessera/tickets';

/** @see SAML 1.1 core §7.1 */
const SAML_METHODS: Readonly<Record<string, string>> = {
  UsernamePasswordCredential: 'urn:oasis:names:tc:SAML:1.0:am:password',
  RememberMeUsernamePasswordCredential: 'urn:oasis:names:tc:SAML:1.0:am:password',
  X509CertificateCredential: 'urn:oasis:names:tc:SAML:1.0:am:X509-PKI',
};
const SAML_UNSPECIFIED = 'urn:oasis:names:tc:SAML:1.0:am:unspecified';

export interface Released {
  readonly user: string;
  readonly attributes: Attributes;
}

/**
 * Protocol attributes override attributes of the user with the same name, unless the service gets none.
 * @param byDefault the attributes for every service
 */
export function releasedAttributes(assertion: Assertion, byDefault: readonly string[]): Released {
  const { registeredService, authentication } = assertion;
  const { id: user, attributes } = release(registeredService, authentication.principal, byDefault);
  if (!registeredService.protocolAttributes) return { user, attributes };
  return { user, attributes: { ...attributes, ...protocolAttributes(assertion) } };
}

/** Existing clients parse these names and formats; times are in UTC with milliseconds and `Z`, without a zone suffix. */
function protocolAttributes({ authentication, fromNewLogin }: Assertion): Attributes {
  const { authenticatedAt, credentialType, handler } = authentication;
  return {
    authenticationDate: [authenticatedAt.toISOString()],
    isFromNewLogin: [String(fromNewLogin)],
    longTermAuthenticationRequestTokenUsed: [String(credentialType.startsWith('RememberMe'))],
    credentialType: [credentialType],
    authenticationMethod: [handler],
    successfulAuthenticationHandlers: [handler],
    samlAuthenticationStatementAuthMethod: [samlMethodOf(credentialType)],
  };
}

/** The URN of an authentication method. */
export function samlMethodOf(credentialType: string): string {
  return SAML_METHODS[credentialType] ?? SAML_UNSPECIFIED;
}
