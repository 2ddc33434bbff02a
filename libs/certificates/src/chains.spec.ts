import { beforeAll, describe, expect, test } from '@jest/globals';
import {
  AuthorityKeyIdentifierExtension,
  BasicConstraintsExtension,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  Extension,
  KeyUsageFlags,
  KeyUsagesExtension,
} from '@peculiar/x509';
import {
  issue,
  issueAuthority,
  type TestCertificate,
} from '../../../test/support/pki/test-certificate.js';
import { withDigest } from '../../../test/support/pki/test-keys.js';
import { createTestPki, type TestPki } from '../../../test/support/pki/test-pki.js';
import { verdictOn } from '../../../test/support/pki/test-verifier.js';

const ANY_USAGE = '2.5.29.37.0';

let pki: TestPki;

beforeAll(async () => {
  pki = await createTestPki();
});

const unknown = (critical: boolean) =>
  new Extension('1.2.3.4', critical, Buffer.from('0500', 'hex'));
const clientUsage = new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true);
const forUsages = (...usages: string[]) => new ExtendedKeyUsageExtension(usages);

describe('a certificate is refused that', () => {
  test.each<[string, string, () => Promise<TestCertificate>]>([
    ['has run out', 'EXPIRED', () => pki.client({ subject: 'CN=a', days: [-9, -1] })],
    ['is not valid yet', 'NOT_YET_VALID', () => pki.client({ subject: 'CN=a', days: [1, 9] })],
    ['signed itself', 'UNTRUSTED', () => issue({ subject: 'CN=a' })],
    ['is the certificate of an anchor', 'UNTRUSTED', () => Promise.resolve(pki.root)],
    [
      'another authority issued',
      'UNTRUSTED',
      async () => (await createTestPki('Foreign')).client({ subject: 'CN=a' }),
    ],
    [
      'an authority issued that has the name of ours and another key',
      'UNTRUSTED',
      async () => {
        const issuer = await issueAuthority({ subject: pki.intermediate.subject, key: 'impostor' });
        return pki.client({ subject: 'CN=a', issuer });
      },
    ],
    [
      'is for servers',
      'NOT_FOR_CLIENTS',
      () =>
        issue({
          subject: 'CN=a',
          issuer: pki.intermediate,
          extensions: [forUsages(ExtendedKeyUsage.serverAuth)],
        }),
    ],
    [
      'is for any usage, without saying clients',
      'NOT_FOR_CLIENTS',
      () =>
        issue({ subject: 'CN=a', issuer: pki.intermediate, extensions: [forUsages(ANY_USAGE)] }),
    ],
    [
      'has a key that may not sign',
      'CONSTRAINTS',
      () =>
        issue({
          subject: 'CN=a',
          issuer: pki.intermediate,
          extensions: [new KeyUsagesExtension(KeyUsageFlags.keyEncipherment, true)],
        }),
    ],
    [
      'names another key of its issuer',
      'UNTRUSTED',
      () =>
        pki.client({
          subject: 'CN=a',
          more: [new AuthorityKeyIdentifierExtension('00'.repeat(20))],
        }),
    ],
    [
      'has an unknown critical extension',
      'CONSTRAINTS',
      () => pki.client({ subject: 'CN=a', more: [unknown(true)] }),
    ],
    [
      'has an extension twice',
      'UNREADABLE',
      () => pki.client({ subject: 'CN=a', more: [unknown(false), unknown(false)] }),
    ],
    [
      'has an RSA key of 1024 bits',
      'WEAK',
      () => pki.client({ subject: 'CN=a', algorithm: 'RSA-1024' }),
    ],
    [
      'has a key that may do nothing',
      'CONSTRAINTS',
      () =>
        issue({
          subject: 'CN=a',
          issuer: pki.intermediate,
          extensions: [new Extension('2.5.29.15', true, Buffer.from('030100', 'hex'))],
        }),
    ],
    ['has a key on P-521', 'WEAK', () => pki.client({ subject: 'CN=a', algorithm: 'P-521' })],
  ])('%s: CERTIFICATE_%s', async (_title, code, make) => {
    const { der } = await make();
    expect(await verdictOn(der, { bundle: pki.bundle })).toBe(`CERTIFICATE_${code}`);
  });
});

describe('a certificate is accepted that', () => {
  test.each<[string, () => Promise<TestCertificate>]>([
    ['the usual authority issued', () => pki.client({ subject: 'CN=a' })],
    ['the root issued', () => pki.client({ subject: 'CN=a', issuer: pki.root })],
    ['has no usages', () => issue({ subject: 'CN=a', issuer: pki.root, extensions: [] })],
    [
      'is for clients among others',
      () =>
        issue({
          subject: 'CN=a',
          issuer: pki.root,
          extensions: [forUsages(ANY_USAGE, ExtendedKeyUsage.clientAuth)],
        }),
    ],
    [
      'has an unknown extension that is not critical',
      () => pki.client({ subject: 'CN=a', more: [unknown(false)] }),
    ],
    [
      'states that it is not an authority',
      () =>
        pki.client({
          subject: 'CN=a',
          more: [new BasicConstraintsExtension(false, undefined, true)],
        }),
    ],
  ])('%s', async (_title, make) => {
    const { der } = await make();
    expect(await verdictOn(der, { bundle: pki.bundle })).toBe('good');
  });
});

describe('an intermediate authority is refused that', () => {
  test.each<[string, string, Partial<Parameters<typeof issueAuthority>[0]>]>([
    ['is none', 'CONSTRAINTS', { isAuthority: false }],
    ['may not sign certificates', 'CONSTRAINTS', { usage: KeyUsageFlags.cRLSign }],
    ['has run out', 'EXPIRED', { days: [-9, -1] }],
    ['is not valid yet', 'NOT_YET_VALID', { days: [1, 9] }],
    ['has a weak key', 'WEAK', { algorithm: 'RSA-1024' }],
    ['issues for servers', 'NOT_FOR_CLIENTS', { more: [forUsages(ExtendedKeyUsage.serverAuth)] }],
    ['has an unknown critical extension', 'CONSTRAINTS', { more: [unknown(true)] }],
  ])('%s: CERTIFICATE_%s', async (_title, code, request) => {
    const faulty = { subject: 'CN=Between', key: 'between', issuer: pki.root, ...request };
    const issuer = await issueAuthority(faulty);
    const { der } = await pki.client({ subject: 'CN=a', issuer });
    const bundle = pki.root.pem + issuer.pem;
    expect(await verdictOn(der, { bundle })).toBe(`CERTIFICATE_${code}`);
  });

  test('is not in the bundle, whatever the certificate names: CERTIFICATE_UNTRUSTED', async () => {
    const { der } = await pki.client({ subject: 'CN=a' });
    expect(await verdictOn(der, { bundle: pki.root.pem })).toBe('CERTIFICATE_UNTRUSTED');
  });

  test('leads to no anchor: CERTIFICATE_UNTRUSTED', async () => {
    const elsewhere = await createTestPki('Elsewhere');
    const { der } = await elsewhere.client({ subject: 'CN=a' });
    const bundle = pki.root.pem + elsewhere.intermediate.pem;
    expect(await verdictOn(der, { bundle })).toBe('CERTIFICATE_UNTRUSTED');
  });

  test('is signed with SHA-1: CERTIFICATE_WEAK', async () => {
    const root = await issueAuthority({
      subject: 'CN=Root',
      algorithm: 'RSA-2048',
      key: 'old root',
    });
    const old = { ...root, keys: await withDigest(root.keys, 'SHA-1') };
    const issuer = await issueAuthority({ subject: 'CN=Between', key: 'between', issuer: old });
    const { der } = await pki.client({ subject: 'CN=a', issuer });
    expect(await verdictOn(der, { bundle: root.pem + issuer.pem })).toBe('CERTIFICATE_WEAK');
  });

  test('is for any usage is not refused', async () => {
    const issuer = await issueAuthority({
      subject: 'CN=Any',
      issuer: pki.root,
      more: [forUsages(ANY_USAGE)],
    });
    const { der } = await pki.client({ subject: 'CN=a', issuer });
    expect(await verdictOn(der, { bundle: pki.root.pem + issuer.pem })).toBe('good');
  });
});

describe('an anchor is refused that', () => {
  test.each<[string, string, Partial<Parameters<typeof issueAuthority>[0]>]>([
    ['has run out', 'EXPIRED', { days: [-9, -1] }],
    ['is no authority', 'CONSTRAINTS', { isAuthority: false }],
    ['has a weak key', 'WEAK', { algorithm: 'RSA-1024' }],
  ])('%s: CERTIFICATE_%s', async (_title, code, request) => {
    const root = await issueAuthority({ subject: 'CN=Root', key: 'old root', ...request });
    const { der } = await pki.client({ subject: 'CN=a', issuer: root });
    expect(await verdictOn(der, { bundle: root.pem })).toBe(`CERTIFICATE_${code}`);
  });

  test('signed itself with SHA-1 is accepted: that signature is not relevant', async () => {
    const root = await issueAuthority({ subject: 'CN=Old', algorithm: 'RSA-2048-SHA1' });
    expect(await verdictOn(root.der, { bundle: root.pem })).toBe('CERTIFICATE_UNTRUSTED');
    const keys = await withDigest(root.keys, 'SHA-256');
    const { der } = await pki.client({ subject: 'CN=a', issuer: { ...root, keys } });
    expect(await verdictOn(der, { bundle: root.pem })).toBe('good');
  });
});

describe('the length of a chain', () => {
  /** A client certificate below authorities, the first of them an anchor. */
  async function chain(authorities: number, pathLength?: number): Promise<[Buffer, string]> {
    const limit = pathLength === undefined ? {} : { pathLength };
    let issuer = await issueAuthority({ subject: 'CN=0', key: '0', ...limit });
    let bundle = issuer.pem;
    for (let number = 1; number < authorities; number += 1) {
      issuer = await issueAuthority({ subject: `CN=${number}`, key: String(number), issuer });
      bundle += issuer.pem;
    }
    const { der } = await pki.client({ subject: 'CN=a', issuer });
    return [der, bundle];
  }

  test.each<[string, number, number | undefined, string]>([
    ['as long as the authority allows is accepted', 3, 2, 'good'],
    ['longer than the authority allows is refused', 3, 1, 'CERTIFICATE_CONSTRAINTS'],
    ['of eight certificates is accepted', 7, undefined, 'good'],
    ['of nine certificates is refused', 8, undefined, 'CERTIFICATE_UNTRUSTED'],
  ])('%s', async (_title, authorities, pathLength, verdict) => {
    const [der, bundle] = await chain(authorities, pathLength);
    expect(await verdictOn(der, { bundle })).toBe(verdict);
  });
});

test('an authority that certifies its own next key adds nothing to the length', async () => {
  const root = await issueAuthority({ subject: 'CN=Root', key: 'first', pathLength: 0 });
  const next = await issueAuthority({ subject: 'CN=Root', key: 'next', issuer: root });
  const { der } = await pki.client({ subject: 'CN=a', issuer: next });
  expect(await verdictOn(der, { bundle: root.pem + next.pem })).toBe('good');
});

describe('algorithms', () => {
  test.each([
    ['RSA-2048', 'good'],
    ['RSA-2048-PSS', 'good'],
    ['P-256', 'good'],
    ['P-384', 'good'],
    ['Ed25519', 'good'],
    ['RSA-2048-SHA1', 'CERTIFICATE_WEAK'],
    ['P-521', 'CERTIFICATE_WEAK'],
  ] as const)('root, authority and client all with %s: %s', async (algorithm, verdict) => {
    const root = await issueAuthority({ subject: 'CN=Root', algorithm, key: 'root' });
    const issuer = await issueAuthority({ subject: 'CN=Issuing', algorithm, issuer: root });
    const { der } = await issue({ subject: 'CN=a', algorithm, issuer, extensions: [clientUsage] });
    expect(await verdictOn(der, { bundle: root.pem + issuer.pem })).toBe(verdict);
  });
});
