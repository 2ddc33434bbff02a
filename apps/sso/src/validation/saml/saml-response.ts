// Renders SAML 1.1 responses in SOAP envelopes. @see SAML 1.1 core §3.4
import { randomId } from '@tessera/crypto';
import type { Attributes } from '@tessera/services';
import { escapeAttribute, escapeText } from '../../protocol/xml.js';

/** What every response states. */
export interface ResponseHead {
  readonly responseId: string;
  readonly issuedAt: Date;
  /** The service. */
  readonly recipient: string | undefined;
  readonly inResponseTo: string | undefined;
}

export interface SamlAssertion {
  readonly assertionId: string;
  readonly issuer: string;
  readonly user: string;
  readonly attributes: Attributes;
  readonly authenticatedAt: Date;
  /** A URN of SAML 1.1 core §7.1. */
  readonly authenticationMethod: string;
}

export const SAML_TYPE = 'text/xml;charset=UTF-8';

const ID_LENGTH = 32;
/** How long a client may take the assertion. */
const VALIDITY_MS = 30_000;
const ATTRIBUTE_NAMESPACE = 'http://www.ja-sig.org/products/cas/';

/** The head of an answer now to a request, as far as it was read. */
export function responseHead({
  service,
  requestId,
}: {
  readonly service?: string | undefined;
  readonly requestId?: string | undefined;
}): ResponseHead {
  const [responseId, issuedAt] = [newXmlId(), new Date()];
  return { responseId, issuedAt, recipient: service, inResponseTo: requestId };
}

/** An id in XML begins with a letter or an underscore. */
export function newXmlId(): string {
  return `_${randomId(ID_LENGTH)}`;
}

export function samlSuccess(head: ResponseHead, assertion: SamlAssertion): string {
  const status = '<samlp:Status><samlp:StatusCode Value="samlp:Success"/></samlp:Status>';
  return response(head, status + assertionElement(head, assertion));
}

/** @param message public */
export function samlFailure(head: ResponseHead, message: string): string {
  return response(
    head,
    '<samlp:Status><samlp:StatusCode Value="samlp:RequestDenied"/>' +
      `<samlp:StatusMessage>${escapeText(message)}</samlp:StatusMessage></samlp:Status>`,
  );
}

function response(head: ResponseHead, content: string): string {
  const attributes = [
    ['ResponseID', head.responseId],
    ['InResponseTo', head.inResponseTo],
    ['MajorVersion', '1'],
    ['MinorVersion', '1'],
    ['IssueInstant', head.issuedAt.toISOString()],
    ['Recipient', head.recipient],
  ] as const;
  const written = attributes.map(([name, value]) =>
    value === undefined ? '' : ` ${name}="${escapeAttribute(value)}"`,
  );
  return (
    '<?xml version="1.0" encoding="UTF-8"?>\n' +
    '<SOAP-ENV:Envelope xmlns:SOAP-ENV="http://schemas.xmlsoap.org/soap/envelope/"><SOAP-ENV:Header/><SOAP-ENV:Body>' +
    '<samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:1.0:protocol"' +
    ` xmlns:saml="urn:oasis:names:tc:SAML:1.0:assertion"${written.join('')}>` +
    `${content}</samlp:Response></SOAP-ENV:Body></SOAP-ENV:Envelope>\n`
  );
}

function assertionElement(head: ResponseHead, assertion: SamlAssertion): string {
  const issuedAt = head.issuedAt.toISOString();
  const end = new Date(head.issuedAt.getTime() + VALIDITY_MS).toISOString();
  const audience = `<saml:Audience>${escapeText(head.recipient ?? '')}</saml:Audience>`;
  return [
    `<saml:Assertion AssertionID="${assertion.assertionId}" MajorVersion="1" MinorVersion="1"`,
    ` Issuer="${escapeAttribute(assertion.issuer)}" IssueInstant="${issuedAt}">`,
    `<saml:Conditions NotBefore="${issuedAt}" NotOnOrAfter="${end}"><saml:AudienceRestrictionCondition>`,
    `${audience}</saml:AudienceRestrictionCondition></saml:Conditions>`,
    authenticationStatement(assertion),
    attributeStatement(assertion),
    '</saml:Assertion>',
  ].join('');
}

function authenticationStatement(assertion: SamlAssertion): string {
  const { authenticatedAt, authenticationMethod, user } = assertion;
  return (
    `<saml:AuthenticationStatement AuthenticationMethod="${authenticationMethod}"` +
    ` AuthenticationInstant="${authenticatedAt.toISOString()}">${subject(user)}</saml:AuthenticationStatement>`
  );
}

/** The schema allows no statement without attributes. */
function attributeStatement({ user, attributes }: SamlAssertion): string {
  if (Object.keys(attributes).length === 0) return '';
  const elements = Object.entries(attributes).map(([name, values]) => attribute(name, values));
  return `<saml:AttributeStatement>${subject(user)}${elements.join('')}</saml:AttributeStatement>`;
}

function attribute(name: string, values: readonly string[]): string {
  const elements = values.map(
    (value) => `<saml:AttributeValue>${escapeText(value)}</saml:AttributeValue>`,
  );
  const names = `AttributeName="${escapeAttribute(name)}" AttributeNamespace="${ATTRIBUTE_NAMESPACE}"`;
  return `<saml:Attribute ${names}>${elements.join('')}</saml:Attribute>`;
}

function subject(user: string): string {
  return (
    `<saml:Subject><saml:NameIdentifier>${escapeText(user)}</saml:NameIdentifier>` +
    '<saml:SubjectConfirmation><saml:ConfirmationMethod>urn:oasis:names:tc:SAML:1.0:cm:artifact</saml:ConfirmationMethod>' +
    '</saml:SubjectConfirmation></saml:Subject>'
  );
}
