// The message of single logout. @see CAS 3.0 §2.3.3, appendix C; SAML 2.0 core §3.7.1
import { deflateRawSync } from 'node:zlib';
import { release, type RegisteredService } from '@tessera/services';
import { escapeAttribute, escapeText } from '../protocol/xml.js';

export interface LogoutRequest {
  /** `LR-…` */
  readonly id: string;
  /** The id of the principal. */
  readonly principal: string;
  /** By which the service finds its own session. */
  readonly ticket: string;
  readonly endedAt: Date;
}

/** A `LogoutRequest`, on one line. A service that knows its users by pseudonyms gets the pseudonym. */
export function logoutRequest(service: RegisteredService, request: LogoutRequest): string {
  const { id, ticket, endedAt } = request;
  const user = release(service, { id: request.principal, attributes: {} }).id;
  return (
    '<samlp:LogoutRequest xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" ' +
    `ID="${escapeAttribute(id)}" Version="2.0" IssueInstant="${endedAt.toISOString()}">` +
    '<saml:NameID xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion">' +
    `${escapeText(user)}</saml:NameID>` +
    `<samlp:SessionIndex>${escapeText(ticket)}</samlp:SessionIndex></samlp:LogoutRequest>`
  );
}

/** For the query of a front-channel call: compressed without a header, then in Base64. */
export function deflatedLogoutRequest(service: RegisteredService, request: LogoutRequest): string {
  return deflateRawSync(logoutRequest(service, request)).toString('base64');
}
