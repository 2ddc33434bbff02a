import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { RequestError } from '@tessera/server';
import { anyText } from '../../../../../test/support/any-text.js';
import { parseSamlRequest } from './saml-request.js';

const NAMESPACES =
  'xmlns:s="http://schemas.xmlsoap.org/soap/envelope/" xmlns:p="urn:oasis:names:tc:SAML:1.0:protocol"';
const ARTIFACT = '<p:AssertionArtifact>ST-1</p:AssertionArtifact>';
const REQUEST = `<p:Request MajorVersion="1" MinorVersion="1" RequestID="_1">${ARTIFACT}</p:Request>`;

const envelope = (body: string): string =>
  `<s:Envelope ${NAMESPACES}><s:Header/><s:Body>${body}</s:Body></s:Envelope>`;
const parse = (text: string) => parseSamlRequest(Buffer.from(text));

describe('a request is read', () => {
  test.each([
    ['with prefixes', envelope(REQUEST)],
    ['with a declaration', `<?xml version="1.0" encoding="utf-8"?>\n${envelope(REQUEST)}`],
    ['with a byte order mark', `\ufeff${envelope(REQUEST)}`],
    ['with white space around the ticket', envelope(REQUEST.replace('ST-1', '\n  ST-1\n '))],
    ['with the ticket in CDATA', envelope(REQUEST.replace('ST-1', '<![CDATA[ST-1]]>'))],
    [
      'with the ticket in pieces',
      envelope(REQUEST.replace('ST-1', 'S<!-- x -->T&#45;<![CDATA[1]]>')),
    ],
    [
      'with namespaces by default',
      '<Envelope xmlns="http://schemas.xmlsoap.org/soap/envelope/"><Body>' +
        '<Request xmlns="urn:oasis:names:tc:SAML:1.0:protocol" RequestID="_1">' +
        '<AssertionArtifact>ST-1</AssertionArtifact></Request></Body></Envelope>',
    ],
  ])('%s', (_, text) => {
    expect(parse(text)).toEqual({ requestId: '_1', artifact: 'ST-1' });
  });

  test('without a RequestID', () => {
    expect(parse(envelope(`<p:Request>${ARTIFACT}</p:Request>`))).toEqual({
      requestId: undefined,
      artifact: 'ST-1',
    });
  });
});

describe('a document type is refused before it is parsed', () => {
  const bombs = Array.from({ length: 10 }, (_, n) => `<!ENTITY e${n + 1} "&e${n};&e${n};">`).join(
    '',
  );
  test.each([
    ['empty', '<!DOCTYPE x>'],
    ['with an entity', '<!DOCTYPE x [<!ENTITY t "ST-1">]>'],
    ['with entities that multiply', `<!DOCTYPE x [<!ENTITY e0 "e">${bombs}]>`],
    ['with a file', '<!DOCTYPE x [<!ENTITY t SYSTEM "file:///etc/passwd">]>'],
    ['with a URL', '<!DOCTYPE x SYSTEM "http://127.0.0.1/x.dtd">'],
    ['with a parameter entity', '<!DOCTYPE x [<!ENTITY % t SYSTEM "http://127.0.0.1/">%t;]>'],
    ['in small letters', '<!doctype x>'],
  ])('%s', (_, declaration) => {
    const text = declaration + envelope(REQUEST.replace('ST-1', '&t;'));
    expect(() => parse(text)).toThrow('a document type is not allowed');
  });
});

describe('a request is refused', () => {
  const REQUIRED = 'the body is no SOAP envelope around one Request with one AssertionArtifact';
  const UNREADABLE = 'the body is not well-formed XML';
  const deep = (levels: number): string => '<a>'.repeat(levels) + '</a>'.repeat(levels);

  test.each([
    ['empty', '', UNREADABLE],
    ['no XML', 'ticket=ST-1', UNREADABLE],
    ['cut off', envelope(REQUEST).slice(0, -3), UNREADABLE],
    ['with an unknown entity', envelope(REQUEST.replace('ST-1', '&t;')), UNREADABLE],
    ['with an unknown prefix', envelope(REQUEST.replace('<p:Request', '<q:Request')), UNREADABLE],
    ['with an attribute twice', envelope(REQUEST.replace('Major', 'Minor')), UNREADABLE],
    ['with a control character', envelope(REQUEST.replace('ST-1', '\u0001')), UNREADABLE],
    ['with < in an attribute', envelope(REQUEST.replace('_1', '<')), UNREADABLE],
    ['with a second root', envelope(REQUEST) + envelope(REQUEST), UNREADABLE],
    [
      'in another encoding',
      `<?xml version="1.0" encoding="UTF-16"?>${envelope(REQUEST)}`,
      'the encoding must be UTF-8',
    ],
    ['without an envelope', `<p:Request ${NAMESPACES}>${ARTIFACT}</p:Request>`, REQUIRED],
    ['with an empty body', envelope(''), REQUIRED],
    ['without a ticket', envelope('<p:Request/>'), REQUIRED],
    ['with an empty ticket', envelope(REQUEST.replace('ST-1', ' ')), REQUIRED],
    ['with two tickets', envelope(REQUEST.replace(ARTIFACT, ARTIFACT + ARTIFACT)), REQUIRED],
    ['with two requests', envelope(REQUEST + REQUEST), REQUIRED],
    ['of SAML 2', envelope(REQUEST).replace('SAML:1.0', 'SAML:2.0'), REQUIRED],
    [
      'of SOAP 1.2',
      envelope(REQUEST).replace(
        'http://schemas.xmlsoap.org/soap/envelope/',
        'http://www.w3.org/2003/05/soap-envelope',
      ),
      REQUIRED,
    ],
    [
      'with the ticket below another element',
      envelope(REQUEST.replace(ARTIFACT, `<p:a>${ARTIFACT}</p:a>`)),
      REQUIRED,
    ],
    [
      'with a ticket of two words',
      envelope(REQUEST.replace('ST-1', 'ST-1 ST-2')),
      'the AssertionArtifact is no ticket',
    ],
    [
      'with a long ticket',
      envelope(REQUEST.replace('ST-1', 'x'.repeat(257))),
      'the AssertionArtifact is no ticket',
    ],
    [
      'with a long RequestID',
      envelope(REQUEST.replace('_1', 'x'.repeat(257))),
      'RequestID is longer than 256 characters',
    ],
    ['nested deeply', envelope(deep(20)), 'the elements are nested too deeply'],
    ['nested very deeply', deep(9_000), 'the elements are nested too deeply'],
  ])('that is %s', (_, text, message) => {
    expect(() => parse(text)).toThrow(
      expect.objectContaining({ code: 'MALFORMED_REQUEST', message }),
    );
  });

  test('that is no UTF-8', () => {
    const text = Buffer.concat([Buffer.from(envelope(REQUEST)), Buffer.from([0xff])]);
    expect(() => parseSamlRequest(text)).toThrow('the body is not UTF-8');
  });

  test('with an error of its own for any text, and any text in place of the ticket', () => {
    fc.assert(
      fc.property(anyText(), (text) => {
        for (const body of [text, envelope(text), envelope(REQUEST.replace('ST-1', text))]) {
          try {
            expect(parse(body).artifact).toMatch(/^[!-~]+$/);
          } catch (error) {
            expect(error).toBeInstanceOf(RequestError);
          }
        }
      }),
    );
  });
});
