// Whose word is taken for a certificate: trusted hosts', named proxies', our own handshake's, and nobody else's.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { makeFolder, removeFolder } from '../support/folders.js';
import { http, type Call } from '../support/http.js';
import { TestAuthority } from '../support/pki/test-authority.js';
import type { TestCertificate } from '../support/pki/test-certificate.js';
import { createTestPki, type TestPki } from '../support/pki/test-pki.js';
import { startSso, type Sso } from '../support/sso.js';

/** Loopback addresses that callers take. */
const TRUSTED = '127.0.0.1';
const STRANGER = '127.0.0.2';
const PROXY = '127.0.0.3';
const REFUSED = '400 {"authentication_exceptions" : [ "FailedLoginException" ]}';
const NOTHING_SENT = '400 missing: cert, or username, password';

const HEADERS = [
  ['nginx', 'ssl_client_cert', (der: Buffer) => encodeURIComponent(pemOf(der))],
  ['rfc9440', 'Client-Cert', (der: Buffer) => `:${der.toString('base64')}:`],
] as const;

let directory: string;
let pki: TestPki;
let server: TestAuthority;
let ann: TestCertificate;
let expired: TestCertificate;

beforeAll(async () => {
  directory = await makeFolder();
  pki = await createTestPki('Sources');
  ann = await pki.client({ subject: 'O=Example, CN=ann' });
  expired = await pki.client({ subject: 'CN=ann', days: [-9, -1] });
  await writeFile(join(directory, 'ca.pem'), pki.bundle);
  server = await TestAuthority.create();
  const { cert, key } = await server.issue('CN=localhost');
  await writeFile(join(directory, 'server.pem'), cert);
  await writeFile(join(directory, 'server.key'), key, { mode: 0o600 });
});
afterAll(() => removeFolder(directory));

const X509 = ['--sso.rest.x509.ca-file={directory}/ca.pem', '--sso.rest.x509.principal=cn'];

/** The application with these settings, for the tests of a block. */
function sso(...settings: readonly string[]): () => Sso {
  let started: Sso;
  beforeAll(async () => {
    started = await startSso({
      settings: [
        '--sso.modules=rest,rest-x509',
        ...[...X509, ...settings].map((setting) => setting.replace('{directory}', directory)),
      ],
    });
  });
  afterAll(() => started.close());
  return () => started;
}

const OVER_TLS = [
  '--sso.tls.certificate-file={directory}/server.pem',
  '--sso.tls.key-file={directory}/server.key',
  '--sso.tls.client-certificates=request',
];

/** Logs in as `call` says; 201, or the status and the text. */
async function login({ url }: Sso, call: Call): Promise<string> {
  const { status, body } = await http('POST', url, '/v1/tickets', { form: {}, ...call });
  return status === 201 ? '201' : `${status} ${body}`;
}

const claim = (localAddress: string, headers: Readonly<Record<string, string>> = {}): Call => ({
  form: { cert: ann.pem },
  headers,
  localAddress,
});

const shown = ({ pem, keyPem }: TestCertificate): Call => ({
  tls: { ca: server.cert, cert: pem, key: keyPem },
});

describe('the application does not start', () => {
  test.each([
    ['ca-file=/nope.pem', 'sso.rest.x509.ca-file: /nope.pem does not exist'],
    ['crl-files=/nope.crl', 'sso.rest.x509.crl-files: /nope.crl does not exist'],
    ['principal=attribute:NOPE', 'sso.rest.x509.principal: no subject has an attribute NOPE'],
  ])('with sso.rest.x509.%s, and says why', async (setting, message) => {
    const settings = ['--sso.modules=rest,rest-x509', ...X509, `--sso.rest.x509.${setting}`];
    const given = settings.map((each) => each.replace('{directory}', directory));
    await expect(startSso({ settings: given })).rejects.toThrow(message);
  });
});

describe('a claim in the form', () => {
  const started = sso(
    `--sso.rest.x509.trusted-hosts=${TRUSTED}/32,2001:db8::/32`,
    `--sso.proxies.trusted=${PROXY}`,
  );

  test('is taken from a trusted host', async () => {
    expect(await login(started(), claim(TRUSTED))).toBe('201');
  });

  test.each([
    {},
    { 'x-forwarded-for': TRUSTED },
    { forwarded: `for=${TRUSTED}` },
    { 'x-real-ip': TRUSTED },
    { 'client-ip': TRUSTED },
    { 'x-forwarded-for': `${TRUSTED}, ${TRUSTED}`, forwarded: `for=${TRUSTED}` },
  ])('is refused from another, whatever it says of itself: %j', async (headers) => {
    expect(await login(started(), claim(STRANGER, headers))).toBe(REFUSED);
  });

  test.each([
    ['201', { 'x-forwarded-for': TRUSTED }],
    [REFUSED, {}],
    [REFUSED, { 'x-forwarded-for': STRANGER }],
    // The host wrote the first itself; the proxy added the second.
    [REFUSED, { 'x-forwarded-for': `${TRUSTED}, ${STRANGER}` }],
    [REFUSED, { 'x-forwarded-for': 'unknown' }],
    [REFUSED, { forwarded: `for=${TRUSTED}` }],
  ])('is answered %s where a proxy passes it on with %j', async (expected, headers) => {
    expect(await login(started(), claim(PROXY, headers))).toBe(expected);
  });

  test.each(HEADERS)(
    'is in no header of format %s unless one is named',
    async (_format, header, written) => {
      for (const localAddress of [TRUSTED, PROXY]) {
        const headers = { [header]: written(ann.der) };
        expect(await login(started(), { headers, localAddress })).toBe(NOTHING_SENT);
      }
    },
  );
});

describe.each(HEADERS)('a certificate in a header of format %s', (format, header, written) => {
  const started = sso(
    `--sso.rest.x509.header.name=${header}`,
    `--sso.rest.x509.header.format=${format}`,
    `--sso.rest.x509.header.proxies=${PROXY}`,
    `--sso.rest.x509.trusted-hosts=${TRUSTED}`,
    `--sso.proxies.trusted=${STRANGER}`,
  );
  const present = (value: string, call: Call = {}) =>
    login(started(), { headers: { [header]: value }, localAddress: PROXY, ...call });

  test('is a credential where a named proxy sets it', async () => {
    expect(await present(written(ann.der))).toBe('201');
  });

  test.each([TRUSTED, STRANGER])('changes nothing where %s sets it', async (localAddress) => {
    const headers = { [header]: written(ann.der), 'x-forwarded-for': PROXY };
    expect(await present('', { headers, localAddress })).toBe(NOTHING_SENT);
  });

  test('is judged as any other', async () => {
    expect(await present(written(expired.der))).toBe(REFUSED);
  });

  test('gives way to credentials in the form', async () => {
    const form = { username: 'casuser', password: 'wrong' };
    expect(await present(written(ann.der), { form })).toBe(REFUSED);
  });

  test.each([
    ['nothing', () => '', NOTHING_SENT],
    ['a word', () => 'none', `400 ${header} is no certificate: `],
    ['an open escape', () => '%', `400 ${header} is no certificate: `],
    ['base64 of a word', () => 'TWVsbG9u', `400 ${header} is no certificate: `],
    [
      'two of them',
      () => `${written(ann.der)}, ${written(ann.der)}`,
      `400 ${header} is no certificate: `,
    ],
  ])('that holds %s is answered 400', async (_what, value, message) => {
    expect(await present(value())).toContain(message);
  });
});

describe('a certificate of our own TLS handshake', () => {
  const started = sso(...OVER_TLS, '--sso.rest.x509.tls=true');

  test('is a credential of any host', async () => {
    expect(await login(started(), { ...shown(ann), localAddress: STRANGER })).toBe('201');
  });

  test('is judged as any other', async () => {
    const other = await (await createTestPki('Other')).client({ subject: 'CN=ann' });
    for (const bad of [expired, other]) expect(await login(started(), shown(bad))).toBe(REFUSED);
  });

  test('is missed where the client shows none', async () => {
    expect(await login(started(), { tls: { ca: server.cert } })).toBe(NOTHING_SENT);
  });

  test('does not stand for a user name and password in the form', async () => {
    const form = { username: 'casuser', password: 'wrong' };
    expect(await login(started(), { ...shown(ann), form })).toBe(REFUSED);
  });
});

describe('a proxy that shows a certificate of its own in its handshake', () => {
  const started = sso(
    ...OVER_TLS,
    '--sso.rest.x509.tls=true',
    '--sso.rest.x509.header.name=X-Client-Cert',
    `--sso.rest.x509.header.proxies=${PROXY}`,
    `--sso.proxies.trusted=${STRANGER}`,
  );
  const own = () => shown(ann);

  test.each([
    ['sets the header empty, for a client without one', PROXY, { 'x-client-cert': '' }],
    ['sets no header', PROXY, {}],
    ['passes on who calls, and no certificates', STRANGER, { 'x-forwarded-for': '192.0.2.1' }],
  ])('logs nobody in where it %s', async (_what, localAddress, headers) => {
    expect(await login(started(), { ...own(), localAddress, headers })).toBe(NOTHING_SENT);
  });

  test('has its client logged in by the header', async () => {
    const bob = await pki.client({ subject: 'CN=bob', key: 'bob' });
    const headers = { 'x-client-cert': encodeURIComponent(bob.pem) };
    expect(await login(started(), { ...own(), localAddress: PROXY, headers })).toBe('201');
  });
});

describe('where settings say nothing of whose certificates count', () => {
  const started = sso(...OVER_TLS);

  test('a claim is nobody\u2019s', async () => {
    const call = { ...claim(TRUSTED), tls: { ca: server.cert } };
    expect(await login(started(), call)).toBe(REFUSED);
  });

  test('a certificate of the handshake is no credential', async () => {
    expect(await login(started(), shown(ann))).toBe(NOTHING_SENT);
  });
});

function pemOf(der: Buffer): string {
  const lines = der.toString('base64').match(/.{1,64}/g) ?? [];
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n');
}
