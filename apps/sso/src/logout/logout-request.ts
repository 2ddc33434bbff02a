// The message of single logout. @see CAS 3.0 §2.3.3, appendix C; SAML 2.0 core §3.7.1
import { deflateRawSync } from 'node:zlib';
import { release, type RegisteredService } from '@tessera/services';
import type { LogoutMessage } from '@tessera/tickets';
import { escapeAttribute, escapeText } from '../protocol/xml.js';

type Content = Pick<LogoutMessage, 'id' | 'principal' | 'sessionIndex' | 'endedAt'>;

/** A `LogoutRequest`, on one line. A service that knows its users by pseudonyms gets the pseudonym. */
export function logoutRequest(service: RegisteredService, content: Content): string {
  const { id, principal, sessionIndex, endedAt } = content;
  const user = release(service, { id: principal, attributes: {} }).id;
  return (
    '<samlp:LogoutRequest xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" ' +
    `ID="${escapeAttribute(id)}" Version="2.0" IssueInstant="${endedAt.toISOString()}">` +
    '<saml:NameID xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion">' +
    `${escapeText(user)}</saml:NameID>` +
    `<samlp:SessionIndex>${escapeText(sessionIndex)}</samlp:SessionIndex></samlp:LogoutRequest>`
  );
}

/** For the query of a front-channel call: compressed without a header, then in Base64. */
export function deflatedLogoutRequest(service: RegisteredService, content: Content): string {
  return deflateRawSync(logoutRequest(service, content)).toString('base64');
}
