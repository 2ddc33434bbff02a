// Certificates in the form of POST /v1/tickets: which are believed, whom they name, and what callers are told.
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  AuthorityInfoAccessExtension,
  CRLDistributionPointsExtension,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  Extension,
  KeyUsageFlags,
} from '@peculiar/x509';
import { DIALECTS } from '../support/dialects.js';
import { makeFolder, removeFolder } from '../support/folders.js';
import { http, type Reply } from '../support/http.js';
import { generalName, nameConstraints } from '../support/pki/encode-der.js';
import {
  issue,
  issueAuthority,
  issueList,
  type AuthorityRequest,
  type TestCertificate,
} from '../support/pki/test-certificate.js';
import type { TestAlgorithm } from '../support/pki/test-keys.js';
import { createTestPki, type ClientRequest, type TestPki } from '../support/pki/test-pki.js';
import { APP, BASE_URL, startSso, type Sso } from '../support/sso.js';
import { until } from '../support/until.js';
import { validate } from '../support/validation.js';

const REFUSED = '{"authentication_exceptions" : [ "FailedLoginException" ]}';
const NAME_CONSTRAINTS = '2.5.29.30';

let directory: string;
let pki: TestPki;
let ann: TestCertificate;
let revoked: TestCertificate;
/** Authorities of our root, each with a fault; they stand in the bundle. */
let faulty: Readonly<
  Record<'noAuthority' | 'noSigner' | 'constrained' | 'unlisted', TestCertificate>
>;

beforeAll(async () => {
  directory = await makeFolder();
  pki = await createTestPki('Wire');
  ann = await ofAnn();
  revoked = await ofAnn({ key: 'revoked' });
  const permitted = nameConstraints({ permitted: [generalName.email('elsewhere.example')] });
  faulty = {
    noAuthority: await authority('No authority', { isAuthority: false }),
    noSigner: await authority('No signer', { usage: KeyUsageFlags.cRLSign }),
    constrained: await authority('Constrained', {
      more: [new Extension(NAME_CONSTRAINTS, true, permitted)],
    }),
    unlisted: await authority('Unlisted', {}),
  };
  const lists = [
    await pki.lists(revoked),
    ...(await Promise.all(
      [faulty.noAuthority, faulty.noSigner, faulty.constrained].map((issuer) =>
        issueList({ issuer }),
      ),
    ).then((made) => made.map(({ pem }) => pem))),
    (await issueList({ issuer: faulty.unlisted, days: [-9, -1] })).pem,
  ];
  const bundle = [pki.bundle, ...Object.values(faulty).map(({ pem }) => pem)];
  await writeFile(join(directory, 'ca.pem'), bundle.join(''));
  await writeFile(join(directory, 'lists.pem'), lists.join(''));
});
afterAll(() => removeFolder(directory));

function authority(name: string, fault: Partial<AuthorityRequest>): Promise<TestCertificate> {
  return issueAuthority({ subject: `CN=${name}`, key: name, issuer: pki.root, ...fault });
}

/** Ann's, with something else about it. */
function ofAnn(request: Partial<ClientRequest> = {}): Promise<TestCertificate> {
  return pki.client({ subject: 'O=Example, OU=Staff, CN=ann', ...request });
}

function start(...settings: readonly string[]): Promise<Sso> {
  return startSso({
    settings: [
      '--sso.modules=rest,rest-x509',
      `--sso.rest.x509.ca-file=${join(directory, 'ca.pem')}`,
      `--sso.rest.x509.crl-files=${join(directory, 'lists.pem')}`,
      '--sso.rest.x509.principal=cn',
      '--sso.rest.x509.trusted-hosts=127.0.0.1',
      ...settings,
    ],
  });
}

function login(sso: Sso, form: Readonly<Record<string, string>>): Promise<Reply> {
  return http('POST', sso.url, '/v1/tickets', { form, headers: { accept: 'text/plain' } });
}

const REFUSALS: readonly (readonly [string, () => Promise<TestCertificate>])[] = [
  ['expired', () => ofAnn({ days: [-9, -1] })],
  ['not yet valid', () => ofAnn({ days: [1, 9] })],
  ['revoked', () => Promise.resolve(revoked)],
  ['of an issuer whose list has run out', () => ofAnn({ issuer: faulty.unlisted })],
  ['self-signed', () => issue({ subject: 'CN=ann' })],
  [
    'of an authority we do not know',
    async () => (await createTestPki('Other')).client({ subject: 'CN=ann' }),
  ],
  [
    'of an authority with our root\u2019s name and another key',
    async () => {
      const imposter = await issueAuthority({ subject: pki.root.subject, key: 'imposter' });
      return ofAnn({ issuer: imposter });
    },
  ],
  ['of an issuer that is no authority', () => ofAnn({ issuer: faulty.noAuthority })],
  ['of an issuer that may not sign certificates', () => ofAnn({ issuer: faulty.noSigner })],
  [
    'with a name that its issuer may not certify',
    () =>
      ofAnn({ issuer: faulty.constrained, names: [{ type: 'email', value: 'ann@example.org' }] }),
  ],
  ['of another client', () => ofAnn({ issuer: ann, key: 'eve' })],
  [
    'for servers alone',
    () =>
      issue({
        subject: 'CN=ann',
        issuer: pki.intermediate,
        extensions: [new ExtendedKeyUsageExtension([ExtendedKeyUsage.serverAuth])],
      }),
  ],
  ['with a weak key', () => ofAnn({ algorithm: 'RSA-1024' })],
  [
    'with a critical extension nobody knows',
    () => ofAnn({ more: [new Extension('1.2.3.4', true, Buffer.from('0500', 'hex'))] }),
  ],
  ['that names nobody', () => ofAnn({ subject: 'O=Example' })],
  ['that names two', () => ofAnn({ subject: 'CN=ann, CN=bob' })],
  ['that names nobody an account could be', () => ofAnn({ subject: `CN=${'x'.repeat(256)}` })],
];

describe.each(DIALECTS)('in dialect $dialect', ({ dialect, badCredentials }) => {
  let sso: Sso;

  beforeAll(async () => {
    sso = await start(`--sso.dialect=${dialect}`);
  });
  afterAll(() => sso.close());

  test.each(REFUSALS)('a certificate %s is refused without a reason', async (_what, make) => {
    const reply = await login(sso, { cert: (await make()).pem });
    expect([reply.status, reply.body]).toEqual([badCredentials, REFUSED]);
    expect(reply.headers['content-type']).toBe('application/json;charset=UTF-8');
    expect(reply.headers.location).toBeUndefined();
  });

  test.each([
    ['nothing', {}, 'missing: cert, or username, password'],
    ['an empty field', { cert: '' }, 'missing: cert'],
    ['a text', { cert: 'Mellon' }, 'cert is no certificate: '],
    ['base64 of something else', { cert: 'TWVsbG9u' }, 'cert is no certificate: '],
    ['two certificates', () => ({ cert: ann.pem + ann.pem }), 'cert is no certificate: '],
    ['a private key', () => ({ cert: ann.keyPem }), 'cert is no certificate: '],
    [
      'a certificate and its key',
      () => ({ cert: ann.pem + ann.keyPem }),
      'cert is no certificate: ',
    ],
    ['half a certificate', () => ({ cert: ann.pem.slice(0, 200) }), 'cert is no certificate: '],
    [
      'a certificate beside a password',
      () => ({ cert: ann.pem, username: 'casuser', password: 'Mellon' }),
      'cert stands beside username and password: send one credential',
    ],
  ])('%s is answered 400, naming the field', async (_what, form, message) => {
    const reply = await login(sso, typeof form === 'function' ? form() : form);
    expect(reply.status).toBe(400);
    expect(reply.body.startsWith(message)).toBe(true);
    expect(reply.body).not.toMatch(/-----|MII/);
  });

  test('a certificate in the query is answered 400', async () => {
    const query = `?${new URLSearchParams({ cert: ann.pem }).toString()}`;
    const form = { cert: ann.pem };
    const reply = await http('POST', sso.url, `/v1/tickets${query}`, { form });
    expect([reply.status, reply.body]).toEqual([400, 'cert must be in the body, not in the query']);
  });

  test('a certificate given twice is answered 400', async () => {
    const body = `cert=${encodeURIComponent(ann.pem)}`;
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const reply = await http('POST', sso.url, '/v1/tickets', { body: `${body}&${body}`, headers });
    expect([reply.status, reply.body]).toEqual([400, 'cert is given more than once']);
  });

  test('with renew the certificate has to be the session\u2019s own user\u2019s', async () => {
    const { body: tgt } = await login(sso, { cert: ann.pem });
    const bob = await pki.client({ subject: 'CN=bob', key: 'bob' });
    const ask = (cert: string) =>
      http('POST', sso.url, `/v1/tickets/${tgt}`, { form: { service: APP, renew: 'true', cert } });
    expect(await ask(bob.pem)).toMatchObject({ status: badCredentials, body: REFUSED });
    expect((await ask(ann.pem)).body).toMatch(/^ST-/);
  });
});

describe('a good certificate', () => {
  let sso: Sso;

  beforeAll(async () => {
    sso = await start();
  });
  afterAll(() => sso.close());

  test.each<TestAlgorithm>(['RSA-2048', 'P-256', 'P-384', 'Ed25519'])(
    'with a key of %s opens a session',
    async (algorithm) => {
      const reply = await login(sso, { cert: (await ofAnn({ algorithm })).pem });
      expect(reply.status).toBe(201);
      expect(reply.headers.location).toBe(`${BASE_URL}/v1/tickets/${reply.body}`);
    },
  );

  test('may come as PEM with any line ends, or as base64 of its DER alone', async () => {
    const base64 = ann.der.toString('base64');
    for (const cert of [ann.pem.replaceAll('\n', '\r\n'), `\n${ann.pem}\n`, base64]) {
      expect((await login(sso, { cert })).status).toBe(201);
    }
  });

  test('names its user to applications, with its attributes', async () => {
    const { body: tgt } = await login(sso, { cert: ann.pem });
    const parameters = { service: APP, ticket: await sso.grant(tgt), format: 'json' };
    const { body } = await validate(sso, '/p3/serviceValidate', parameters);
    expect(JSON.parse(body)).toMatchObject({
      serviceResponse: {
        authenticationSuccess: {
          user: 'ann',
          attributes: {
            subjectDn: ['CN=ann,OU=Staff,O=Example'],
            issuerDn: ['CN=Wire Issuing,O=Example'],
            credentialType: ['X509CertificateCredential'],
            successfulAuthenticationHandlers: ['x509'],
            samlAuthenticationStatementAuthMethod: ['urn:oasis:names:tc:SAML:1.0:am:X509-PKI'],
          },
        },
      },
    });
  });

  test('names its user in the one spelling of accounts', async () => {
    const { body: tgt } = await login(sso, {
      cert: (await ofAnn({ subject: 'CN=Ju\u0308rgen' })).pem,
    });
    const parameters = { service: APP, ticket: await sso.grant(tgt) };
    const { body } = await validate(sso, '/validate', parameters);
    expect(body).toBe('yes\nJ\u00fcrgen\n');
  });

  test('makes us fetch nothing that it names', async () => {
    let connections = 0;
    const attacker = createServer((socket) => {
      connections += 1;
      socket.destroy();
    });
    attacker.listen(0, '127.0.0.1');
    await once(attacker, 'listening');
    const url = `http://127.0.0.1:${(attacker.address() as { port: number }).port}/`;
    const cert = await ofAnn({
      more: [
        new CRLDistributionPointsExtension([url]),
        new AuthorityInfoAccessExtension({ caIssuers: url, ocsp: url }),
      ],
    });
    expect((await login(sso, { cert: cert.pem })).status).toBe(201);
    attacker.close();
    await once(attacker, 'close');
    expect(connections).toBe(0);
  });

  test('is refused within seconds of its revocation, and no other is', async () => {
    const leaver = await ofAnn({ key: 'leaver' });
    expect((await login(sso, { cert: leaver.pem })).status).toBe(201);
    await writeFile(join(directory, 'lists.pem'), await pki.lists(revoked, leaver));
    await until('the new list counts', async () => {
      const { status } = await login(sso, { cert: leaver.pem });
      return status === 400 ? status : undefined;
    });
    expect((await login(sso, { cert: ann.pem })).status).toBe(201);
  });
});
