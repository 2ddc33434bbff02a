// The attributes of the user in answers of validation, in both dialects, byte for byte.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { NewService } from '@tessera/services';
import { DIALECTS } from '../support/dialects.js';
import { http } from '../support/http.js';
import { APP, startSso, type Sso } from '../support/sso.js';
import {
  ENDPOINTS,
  envelope,
  newTicket,
  query,
  soap,
  validate,
  withDate,
  XML_ENDPOINTS,
} from '../support/validation.js';

const XML = 'application/xml;charset=UTF-8';
const TEXT = 'text/plain;charset=UTF-8';

/** What the protocol has of every login. */
const PROTOCOL = `            <cas:authenticationDate>DATE</cas:authenticationDate>
            <cas:isFromNewLogin>true</cas:isFromNewLogin>
            <cas:longTermAuthenticationRequestTokenUsed>false</cas:longTermAuthenticationRequestTokenUsed>
            <cas:credentialType>UsernamePasswordCredential</cas:credentialType>
            <cas:authenticationMethod>static</cas:authenticationMethod>
            <cas:successfulAuthenticationHandlers>static</cas:successfulAuthenticationHandlers>
            <cas:samlAuthenticationStatementAuthMethod>urn:oasis:names:tc:SAML:1.0:am:password</cas:samlAuthenticationStatementAuthMethod>`;
const RELEASED = `            <cas:mail>casuser@example.org</cas:mail>
            <cas:displayName>Cas &lt;User&gt; &amp; Co</cas:displayName>
            <cas:memberOf>staff</cas:memberOf>
            <cas:memberOf>admin</cas:memberOf>`;

const NOTHING_RELEASED = 'https://nothing.example.org/';
const SOME_RELEASED = 'https://some.example.org/';
const FILTERED = 'https://filtered.example.org/';
const EXCLUDED = 'https://excluded.example.org/';
const BARE = 'https://bare.example.org/';
const SERVICES: readonly NewService[] = [
  {
    serviceId: '^https://filtered\\.example\\.org/.*',
    name: 'values that match',
    attributeRelease: { kind: 'all', excluded: ['displayname'] },
    releasedValues: { memberOf: ['st.*'], '*': ['.*[a-z]'] },
    protocolAttributes: false,
    usernameAttribute: { kind: 'principal', letterCase: 'upper' },
  },
  {
    serviceId: '^https://excluded\\.example\\.org/.*',
    name: 'without default attributes',
    defaultAttributes: false,
  },
  {
    serviceId: '^https://bare\\.example\\.org/.*',
    name: 'the name alone',
    protocolAttributes: false,
  },
  { serviceId: '^https://nothing\\.example\\.org/.*', name: 'nothing released' },
  {
    serviceId: '^https://some\\.example\\.org/.*',
    name: 'some released',
    attributeRelease: { kind: 'mapped', names: { mail: ['e-mail', 'isFromNewLogin', '1 bad'] } },
    usernameAttribute: { kind: 'attribute', name: 'displayName' },
  },
];

function success(user: string, attributes: string): string {
  return envelope(`    <cas:authenticationSuccess>
        <cas:user>${user}</cas:user>
        <cas:attributes>
${attributes}
        </cas:attributes>
    </cas:authenticationSuccess>`);
}

describe.each(DIALECTS)('validation in dialect $dialect', ({ dialect }) => {
  let sso: Sso;

  beforeAll(async () => {
    sso = await startSso({ settings: [`--sso.dialect=${dialect}`], services: SERVICES });
  });
  afterAll(() => sso.close());

  describe('succeeds', () => {
    test('on /validate with yes and the user', async () => {
      const reply = await validate(sso, '/validate', {
        service: APP,
        ticket: await newTicket(sso),
      });
      expect(reply).toMatchObject({ status: 200, body: 'yes\ncasuser\n' });
      expect(reply.headers['content-type']).toBe(TEXT);
    });

    test.each(XML_ENDPOINTS)('on %s with user and attributes', async (path) => {
      const reply = await validate(sso, path, { service: APP, ticket: await newTicket(sso) });
      expect(reply.status).toBe(200);
      expect(reply.headers['content-type']).toBe(XML);
      expect(withDate(reply.body)).toBe(success('casuser', `${RELEASED}\n${PROTOCOL}`));
    });

    test.each(ENDPOINTS)('on %s by POST of a form, too', async (path) => {
      const form = { service: APP, ticket: await newTicket(sso) };
      expect((await http('POST', sso.url, path, { form })).status).toBe(200);
    });

    test('by POST with service in the query and ticket in the form', async () => {
      const form = { ticket: await newTicket(sso) };
      const path = `/serviceValidate${query({ service: APP })}`;
      expect((await http('POST', sso.url, path, { form })).status).toBe(200);
    });

    test('releasing nothing but the protocol attributes by default', async () => {
      const service = NOTHING_RELEASED;
      const reply = await validate(sso, '/p3/serviceValidate', {
        service,
        ticket: await newTicket(sso, service),
      });
      expect(withDate(reply.body)).toBe(success('casuser', PROTOCOL));
    });

    test('under the names and the user name the service asked for, none of which replaces a protocol attribute', async () => {
      const service = SOME_RELEASED;
      const reply = await validate(sso, '/p3/serviceValidate', {
        service,
        ticket: await newTicket(sso, service),
      });
      expect(withDate(reply.body)).toBe(
        success(
          'Cas &lt;User&gt; &amp; Co',
          `            <cas:e-mail>casuser@example.org</cas:e-mail>\n${PROTOCOL.replace(
            /( *<cas:authenticationDate>.*\n)( *<cas:isFromNewLogin>.*\n)/,
            '$2$1',
          )}`,
        ),
      );
    });

    test('with the values that match, without those of the protocol, and the name in upper case', async () => {
      const ticket = await newTicket(sso, FILTERED);
      const reply = await validate(sso, '/p3/serviceValidate', { service: FILTERED, ticket });
      expect(reply.body).toBe(
        success(
          'CASUSER',
          `            <cas:mail>casuser@example.org</cas:mail>
            <cas:memberOf>staff</cas:memberOf>`,
        ),
      );
    });

    test('without the element for attributes where there are none', async () => {
      const asked = { service: BARE, ticket: await newTicket(sso, BARE) };
      expect((await validate(sso, '/p3/serviceValidate', asked)).body).toBe(
        envelope(`    <cas:authenticationSuccess>
        <cas:user>casuser</cas:user>
    </cas:authenticationSuccess>`),
      );
      const json = { service: BARE, ticket: await newTicket(sso, BARE), format: 'JSON' };
      expect((await validate(sso, '/p3/serviceValidate', json)).body).toBe(
        '{"serviceResponse":{"authenticationSuccess":{"user":"casuser"}}}',
      );
    });

    test.each(['JSON', 'json', 'Json'])('in format %s', async (format) => {
      const service = NOTHING_RELEASED;
      const ticket = await newTicket(sso, service);
      const reply = await validate(sso, '/p3/serviceValidate', { service, ticket, format });
      expect(reply.headers['content-type']).toBe('application/json');
      expect(withDate(reply.body)).toBe(
        '{"serviceResponse":{"authenticationSuccess":{"user":"casuser","attributes":{"authenticationDate":["DATE"],' +
          '"isFromNewLogin":["true"],"longTermAuthenticationRequestTokenUsed":["false"],' +
          '"credentialType":["UsernamePasswordCredential"],"authenticationMethod":["static"],' +
          '"successfulAuthenticationHandlers":["static"],' +
          '"samlAuthenticationStatementAuthMethod":["urn:oasis:names:tc:SAML:1.0:am:password"]}}}}',
      );
    });

    test.each(['xml', 'XML'])('in format %s as without', async (format) => {
      const reply = await validate(sso, '/serviceValidate', {
        service: APP,
        ticket: await newTicket(sso),
        format,
      });
      expect(reply.headers['content-type']).toBe(XML);
    });

    test.each(['JSON', 'bogus'])('on /validate whatever the format: %s', async (format) => {
      const reply = await validate(sso, '/validate', {
        service: APP,
        ticket: await newTicket(sso),
        format,
      });
      expect(reply).toMatchObject({ status: 200, body: 'yes\ncasuser\n' });
    });
  });
});

describe('with attributes turned off for CAS 2,', () => {
  let sso: Sso;

  beforeAll(async () => {
    sso = await startSso({ settings: ['--sso.validation.cas2-attributes=false'] });
  });
  afterAll(() => sso.close());

  test.each(['/serviceValidate', '/proxyValidate'])(
    '%s has none and /p3 still has',
    async (path) => {
      const tgt = await sso.login();
      const bare = await validate(sso, path, { service: APP, ticket: await sso.grant(tgt) });
      expect(bare.body).toBe(
        envelope(`    <cas:authenticationSuccess>
        <cas:user>casuser</cas:user>
    </cas:authenticationSuccess>`),
      );
      const full = await validate(sso, `/p3${path}`, {
        service: APP,
        ticket: await sso.grant(tgt),
      });
      expect(full.body).toContain('<cas:mail>');
    },
  );
});

describe('with default attributes,', () => {
  let sso: Sso;

  beforeAll(async () => {
    const settings = ['--sso.services.default-attributes=mail,none'];
    sso = await startSso({ settings, services: SERVICES });
  });
  afterAll(() => sso.close());

  test.each([
    [NOTHING_RELEASED, true],
    [FILTERED, true],
    [EXCLUDED, false],
  ])('%s gets them: %p', async (service, expected) => {
    const asked = { service, ticket: await newTicket(sso, service) };
    const { body } = await validate(sso, '/p3/serviceValidate', asked);
    expect(body.includes('<cas:mail>casuser@example.org</cas:mail>')).toBe(expected);
  });

  test('the answer of SAML 1.1 has them', async () => {
    const service = NOTHING_RELEASED;
    const path = `/samlValidate${query({ TARGET: service })}`;
    const headers = { 'content-type': 'text/xml' };
    const body = soap(await newTicket(sso, service));
    const reply = await http('POST', sso.url, path, { body, headers });
    expect(reply.body).toContain('AttributeName="mail"');
  });
});
