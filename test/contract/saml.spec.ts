// SAML 1.1: what /samlValidate takes and answers, in both dialects.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { DIALECTS } from '../support/dialects.js';
import { http, type Call, type Reply } from '../support/http.js';
import { APP, BASE_URL, startSso, type Sso } from '../support/sso.js';
import { newTicket, query, soap, validate } from '../support/validation.js';

const TEXT_XML = { 'content-type': 'text/xml' };

const messageOf = ({ body }: Reply): string | undefined =>
  /<samlp:StatusCode Value="samlp:RequestDenied"\/><samlp:StatusMessage>(.*)<\/samlp:StatusMessage>/.exec(
    body,
  )?.[1];

describe.each(DIALECTS)('/samlValidate in dialect $dialect', ({ dialect, failedValidation }) => {
  let sso: Sso;

  beforeAll(async () => {
    sso = await startSso({ settings: [`--sso.dialect=${dialect}`] });
  });
  afterAll(() => sso.close());

  const saml = (
    body: string,
    parameters: Readonly<Record<string, string>> = { TARGET: APP },
    headers: Call['headers'] = TEXT_XML,
  ): Promise<Reply> =>
    http('POST', sso.url, `/samlValidate${query(parameters)}`, { body, headers });

  test('answers a good ticket with an assertion, once', async () => {
    const ticket = await newTicket(sso);
    const reply = await saml(soap(ticket, 'a"b').replace('a"b', 'a&quot;b'));
    expect([reply.status, reply.headers['content-type'], reply.headers['cache-control']]).toEqual([
      200,
      'text/xml;charset=UTF-8',
      'no-store',
    ]);
    const { body } = reply;
    expect(body).toMatch(
      /<samlp:Response [^>]*ResponseID="_[A-Za-z0-9]{32}" InResponseTo="a&#34;b" MajorVersion="1" MinorVersion="1" IssueInstant="[^"]+Z" Recipient="https:\/\/app\.example\.org\/">/,
    );
    expect(body).toContain(`Issuer="${BASE_URL}"`);
    expect(body).toContain(`<saml:Audience>${APP}</saml:Audience>`);
    expect(body).toContain('<saml:NameIdentifier>casuser</saml:NameIdentifier>');
    expect(body).toContain(
      '<saml:Attribute AttributeName="memberOf" AttributeNamespace="http://www.ja-sig.org/products/cas/">' +
        '<saml:AttributeValue>staff</saml:AttributeValue><saml:AttributeValue>admin</saml:AttributeValue></saml:Attribute>',
    );
    const [, from, to] = /NotBefore="([^"]+)" NotOnOrAfter="([^"]+)"/.exec(body) ?? [];
    expect(Date.parse(to ?? '') - Date.parse(from ?? '')).toBe(30_000);
    const again = await saml(soap(ticket));
    expect(again.status).toBe(failedValidation);
    expect(messageOf(again)).toBe(`Ticket '${ticket}' not recognized`);
    expect(again.body).toContain('InResponseTo="_1"');
  });

  test('takes renew, and spends the ticket', async () => {
    const tgt = await sso.login();
    const parameters = { TARGET: APP, renew: 'true' };
    expect((await saml(soap(await sso.grant(tgt)), parameters)).status).toBe(200);
    const ticket = await sso.grant(tgt);
    expect((await saml(soap(ticket), parameters)).status).toBe(failedValidation);
    const reply = await validate(sso, '/serviceValidate', { service: APP, ticket });
    expect(reply.status).toBe(failedValidation);
  });

  test('refuses a ticket for another service, and spends it', async () => {
    const ticket = await newTicket(sso);
    const reply = await saml(soap(ticket), { TARGET: `${APP}other` });
    expect(reply.status).toBe(failedValidation);
    expect(messageOf(reply)).toContain(`The original service was '${APP}'`);
    expect((await saml(soap(ticket))).status).toBe(failedValidation);
  });

  test('refuses a TGT, which stays valid', async () => {
    const tgt = await sso.login();
    expect((await saml(soap(tgt))).status).toBe(failedValidation);
    expect((await http('GET', sso.url, `/v1/tickets/${tgt}`)).status).toBe(200);
  });

  test.each<[string, (ticket: string) => Promise<Reply>, number | undefined, RegExp]>([
    [
      'no TARGET',
      (ticket) => saml(soap(ticket), {}),
      undefined,
      /^the parameter TARGET is required$/,
    ],
    ['service for TARGET', (ticket) => saml(soap(ticket), { service: APP }), undefined, /TARGET/],
    [
      'a document type',
      (ticket) => saml(`<!DOCTYPE x>${soap(ticket)}`),
      undefined,
      /document type/,
    ],
    ['no XML', () => saml('x'), undefined, /^the body is not well-formed XML$/],
    ['no body', () => saml(''), undefined, /^the body is not well-formed XML$/],
    [
      'a form',
      (ticket) =>
        saml(
          soap(ticket),
          { TARGET: APP },
          { 'content-type': 'application/x-www-form-urlencoded' },
        ),
      415,
      /^Content-Type must be text\/xml in UTF-8$/,
    ],
    [
      'another charset',
      (ticket) =>
        saml(soap(ticket), { TARGET: APP }, { 'content-type': 'text/xml; charset=utf-16' }),
      415,
      /UTF-8/,
    ],
    [
      'a compressed body',
      (ticket) => saml(soap(ticket), { TARGET: APP }, { ...TEXT_XML, 'content-encoding': 'gzip' }),
      415,
      /Content-Encoding/,
    ],
    ['a large body', (ticket) => saml(soap(ticket) + ' '.repeat(1_048_576)), 413, /65536 bytes/],
  ])('refuses a request with %s, and spends nothing', async (_, send, status, message) => {
    const ticket = await newTicket(sso);
    const reply = await send(ticket);
    expect(reply.status).toBe(status ?? failedValidation);
    expect(messageOf(reply)).toMatch(message);
    expect((await validate(sso, '/serviceValidate', { service: APP, ticket })).status).toBe(200);
  });

  test.each([
    ['text/xml; charset=utf-8'],
    ['application/xml'],
    ['TEXT/XML;charset="UTF-8"'],
    // passport-cas sends none.
    [undefined],
  ])('takes Content-Type %s', async (type) => {
    const headers = type === undefined ? {} : { 'content-type': type };
    expect((await saml(soap(await newTicket(sso)), { TARGET: APP }, headers)).status).toBe(200);
  });

  test.each(['GET', 'HEAD', 'PUT', 'DELETE', 'OPTIONS'])('is not %s', async (method) => {
    const { status, headers } = await http(method, sso.url, '/samlValidate?TARGET=x');
    expect([status, headers.allow]).toEqual([405, 'POST']);
  });

  test('answers 503 while the database is unavailable', async () => {
    const ticket = await newTicket(sso);
    await sso.databaseProxy.set('refuse');
    const reply = await saml(soap(ticket));
    await sso.databaseProxy.set('open');
    expect([reply.status, reply.headers['retry-after']]).toEqual([503, '2']);
    expect(messageOf(reply)).toBe('The service is temporarily unavailable');
  });
});
