// Owns the one user of these tests, and what a service is told of that user after a login with a password.
import { expect } from '@jest/globals';

/** Everything that XML, forms and encodings could trip over. */
export const USER = `o'hara <&"> Zoë 😀`;
export const PASSWORD = 'Mellon & <Moria>';
export const ATTRIBUTES = {
  mail: ['ohara@example.org'],
  displayName: ['Zoë <O’Hara> & Co ]]> 😀'],
  memberOf: ['staff', 'a&b', '<admin>'],
};

/** Lists by name; what the protocol itself says of the login included. */
export const RELEASED = {
  ...ATTRIBUTES,
  authenticationDate: [expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)],
  isFromNewLogin: ['true'],
  longTermAuthenticationRequestTokenUsed: ['false'],
  credentialType: ['UsernamePasswordCredential'],
  authenticationMethod: ['static'],
  successfulAuthenticationHandlers: ['static'],
  samlAuthenticationStatementAuthMethod: ['urn:oasis:names:tc:SAML:1.0:am:password'],
};

/** As clients read it from XML: of one value a text, of several a list. */
export const RELEASED_IN_XML = Object.fromEntries(
  Object.entries(RELEASED).map(([name, values]) => [
    name,
    values.length === 1 ? values[0] : values,
  ]),
);
