import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { SaxesParser } from 'saxes';
import { anyText } from '../../../../../test/support/any-text.js';
import { samlFailure, samlSuccess } from './saml-response.js';

const HEAD = {
  responseId: '_r',
  issuedAt: new Date('2026-03-04T05:06:07.089Z'),
  recipient: 'https://app/?a=1&b=2',
  inResponseTo: '_1',
};
const ASSERTION = {
  assertionId: '_a',
  issuer: 'https://sso/cas',
  user: 'o<hara>',
  attributes: { mail: ['a', 'b & c'], 'urn:oid:1 "x"': [''] },
  authenticatedAt: new Date('2026-03-04T05:00:00.000Z'),
  authenticationMethod: 'urn:oasis:names:tc:SAML:1.0:am:password',
};
const SUBJECT =
  '<saml:Subject><saml:NameIdentifier>o&lt;hara&gt;</saml:NameIdentifier><saml:SubjectConfirmation>' +
  '<saml:ConfirmationMethod>urn:oasis:names:tc:SAML:1.0:cm:artifact</saml:ConfirmationMethod>' +
  '</saml:SubjectConfirmation></saml:Subject>';
const START =
  '<?xml version="1.0" encoding="UTF-8"?>\n' +
  '<SOAP-ENV:Envelope xmlns:SOAP-ENV="http://schemas.xmlsoap.org/soap/envelope/"><SOAP-ENV:Header/><SOAP-ENV:Body>' +
  '<samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:1.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:1.0:assertion" ' +
  'ResponseID="_r" ';
const END = '</samlp:Response></SOAP-ENV:Body></SOAP-ENV:Envelope>\n';

/** The texts of elements, and the values of attributes, by name. */
function contentOf(xml: string): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  const add = (name: string, value: string): void => {
    found.set(name, [...(found.get(name) ?? []), value]);
  };
  const parser = new SaxesParser({ xmlns: true });
  let text = '';
  parser.on('opentag', ({ attributes }) => {
    text = '';
    for (const { name, value } of Object.values(attributes)) add(name, value);
  });
  parser.on('text', (part) => (text += part));
  parser.on('closetag', ({ name }) => {
    add(name, text);
    text = '';
  });
  parser.write(xml).close();
  return found;
}

describe('a response', () => {
  test('of a success without attributes has no statement of attributes', () => {
    expect(samlSuccess(HEAD, { ...ASSERTION, attributes: {} })).not.toContain('AttributeStatement');
  });

  test('of a success, byte for byte', () => {
    expect(samlSuccess(HEAD, ASSERTION)).toBe(
      `${START}InResponseTo="_1" MajorVersion="1" MinorVersion="1" IssueInstant="2026-03-04T05:06:07.089Z" ` +
        'Recipient="https://app/?a=1&amp;b=2">' +
        '<samlp:Status><samlp:StatusCode Value="samlp:Success"/></samlp:Status>' +
        '<saml:Assertion AssertionID="_a" MajorVersion="1" MinorVersion="1" Issuer="https://sso/cas" IssueInstant="2026-03-04T05:06:07.089Z">' +
        '<saml:Conditions NotBefore="2026-03-04T05:06:07.089Z" NotOnOrAfter="2026-03-04T05:06:37.089Z">' +
        '<saml:AudienceRestrictionCondition><saml:Audience>https://app/?a=1&amp;b=2</saml:Audience></saml:AudienceRestrictionCondition></saml:Conditions>' +
        '<saml:AuthenticationStatement AuthenticationMethod="urn:oasis:names:tc:SAML:1.0:am:password" AuthenticationInstant="2026-03-04T05:00:00.000Z">' +
        `${SUBJECT}</saml:AuthenticationStatement><saml:AttributeStatement>${SUBJECT}` +
        '<saml:Attribute AttributeName="mail" AttributeNamespace="http://www.ja-sig.org/products/cas/"><saml:AttributeValue>a</saml:AttributeValue><saml:AttributeValue>b &amp; c</saml:AttributeValue></saml:Attribute>' +
        '<saml:Attribute AttributeName="urn:oid:1 &#34;x&#34;" AttributeNamespace="http://www.ja-sig.org/products/cas/"><saml:AttributeValue></saml:AttributeValue></saml:Attribute>' +
        `</saml:AttributeStatement></saml:Assertion>${END}`,
    );
  });

  test('of a failure, without what is not known, byte for byte', () => {
    const head = { ...HEAD, recipient: undefined, inResponseTo: undefined };
    expect(samlFailure(head, "Ticket '<x>' not recognized")).toBe(
      `${START}MajorVersion="1" MinorVersion="1" IssueInstant="2026-03-04T05:06:07.089Z">` +
        '<samlp:Status><samlp:StatusCode Value="samlp:RequestDenied"/>' +
        `<samlp:StatusMessage>Ticket '&lt;x&gt;' not recognized</samlp:StatusMessage></samlp:Status>${END}`,
    );
  });

  test('has any text as its content, and nothing else', () => {
    fc.assert(
      fc.property(anyText(), anyText(), anyText(), (user, name, value) => {
        const attributes = Object.fromEntries([[name, [value]]]);
        const head = { ...HEAD, recipient: value, inResponseTo: name };
        const found = contentOf(samlSuccess(head, { ...ASSERTION, user, attributes }));
        // Characters that XML cannot hold are dropped.
        const written = (text: string): string =>
          // oxlint-disable-next-line no-control-regex -- those that XML 1.0 cannot hold
          text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/gu, '');
        expect(found.get('saml:NameIdentifier')).toEqual([written(user), written(user)]);
        expect(found.get('AttributeName')).toEqual([written(name)]);
        expect(found.get('InResponseTo')).toEqual([written(name)]);
        expect(found.get('saml:AttributeValue')).toEqual([written(value)]);
        expect(found.get('Recipient')).toEqual([written(value)]);
      }),
    );
  });
});
