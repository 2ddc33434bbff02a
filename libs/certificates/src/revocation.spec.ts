import { beforeAll, describe, expect, test } from '@jest/globals';
import { Extension, KeyUsageFlags } from '@peculiar/x509';
import { configureLogging } from '@tessera/logging';
import {
  issueAuthority,
  issueList,
  type TestCertificate,
} from '../../../test/support/pki/test-certificate.js';
import { withDigest } from '../../../test/support/pki/test-keys.js';
import { createTestPki, type TestPki } from '../../../test/support/pki/test-pki.js';
import { verdictOn } from '../../../test/support/pki/verifying.js';

let pki: TestPki;
let client: TestCertificate;

beforeAll(async () => {
  configureLogging({ application: 'test', levels: { root: 'error' } });
  pki = await createTestPki();
  client = await pki.client({ subject: 'CN=Jane Doe' });
});

const ofRoot = (...revoked: TestCertificate[]) => issueList({ issuer: pki.root, revoked });
const partial = (identifier: string) => new Extension(identifier, true, Buffer.from('3000', 'hex'));

type Lists = () => Promise<readonly { readonly pem: string }[]>;

describe('with lists required, a certificate is refused', () => {
  test.each<[string, string, Lists]>([
    [
      'that is revoked',
      'REVOKED',
      async () => [
        await ofRoot(),
        await issueList({ issuer: pki.intermediate, revoked: [client] }),
      ],
    ],
    [
      'whose issuer is revoked',
      'REVOKED',
      async () => [await ofRoot(pki.intermediate), await issueList({ issuer: pki.intermediate })],
    ],
    [
      'that a list names which has run out',
      'REVOKED',
      async () => [
        await ofRoot(),
        await issueList({ issuer: pki.intermediate, revoked: [client], days: [-9, -1] }),
      ],
    ],
    [
      'that one of two lists names',
      'REVOKED',
      async () => [
        await ofRoot(),
        await issueList({ issuer: pki.intermediate }),
        await issueList({ issuer: pki.intermediate, revoked: [client] }),
      ],
    ],
    ['whose issuer has no list', 'CRL_UNUSABLE', async () => [await ofRoot()]],
    [
      'whose root has no list',
      'CRL_UNUSABLE',
      async () => [await issueList({ issuer: pki.intermediate })],
    ],
    [
      'whose list has run out',
      'CRL_UNUSABLE',
      async () => [await ofRoot(), await issueList({ issuer: pki.intermediate, days: [-9, -1] })],
    ],
    [
      'whose list does not hold yet',
      'CRL_UNUSABLE',
      async () => [await ofRoot(), await issueList({ issuer: pki.intermediate, days: [1, 9] })],
    ],
    [
      'whose list never says when the next one comes',
      'CRL_UNUSABLE',
      async () => [await ofRoot(), await issueList({ issuer: pki.intermediate, days: [-1, null] })],
    ],
    [
      'whose list another key signed',
      'CRL_UNUSABLE',
      async () => [
        await ofRoot(),
        await issueList({ issuer: { ...pki.intermediate, keys: pki.root.keys } }),
      ],
    ],
    [
      'whose list another authority signed',
      'CRL_UNUSABLE',
      async () => [
        await ofRoot(),
        await issueList({ issuer: { ...pki.intermediate, subject: pki.root.subject } }),
      ],
    ],
    [
      'whose list is one of changes',
      'CRL_UNUSABLE',
      async () => [
        await ofRoot(),
        await issueList({ issuer: pki.intermediate, extensions: [partial('2.5.29.27')] }),
      ],
    ],
    [
      'whose list is one of a part',
      'CRL_UNUSABLE',
      async () => [
        await ofRoot(),
        await issueList({ issuer: pki.intermediate, extensions: [partial('2.5.29.28')] }),
      ],
    ],
    [
      'whose list has entries of other issuers',
      'CRL_UNUSABLE',
      async () => [
        await ofRoot(),
        await issueList({
          issuer: pki.intermediate,
          revoked: [pki.root],
          entryExtensions: [partial('2.5.29.29')],
        }),
      ],
    ],
  ])('%s: CERTIFICATE_%s', async (_title, code, make) => {
    const lists = (await make()).map(({ pem }) => pem);
    expect(await verdictOn(client.der, { bundle: pki.bundle, lists })).toBe(`CERTIFICATE_${code}`);
  });

  test('whose issuer may not sign lists: CERTIFICATE_CRL_UNUSABLE', async () => {
    const issuer = await issueAuthority({
      subject: 'CN=No lists',
      issuer: pki.root,
      usage: KeyUsageFlags.keyCertSign,
    });
    const { der: leaf } = await pki.client({ subject: 'CN=a', issuer });
    const lists = [(await ofRoot()).pem, (await issueList({ issuer })).pem];
    const bundle = pki.root.pem + issuer.pem;
    expect(await verdictOn(leaf, { bundle, lists })).toBe('CERTIFICATE_CRL_UNUSABLE');
  });

  test('whose list is signed with SHA-1: CERTIFICATE_CRL_UNUSABLE', async () => {
    const root = await issueAuthority({ subject: 'CN=Old', algorithm: 'RSA-2048', key: 'sha1' });
    const { der } = await pki.client({ subject: 'CN=a', issuer: root });
    const old = { ...root, keys: await withDigest(root.keys, 'SHA-1') };
    const verdicts = [root, old].map(async (issuer) => {
      const lists = [(await issueList({ issuer })).pem];
      return verdictOn(der, { bundle: root.pem, lists });
    });
    expect(await Promise.all(verdicts)).toEqual(['good', 'CERTIFICATE_CRL_UNUSABLE']);
  });
});

describe('a certificate is believed', () => {
  test('that no list names, with all lists in one file or each in its own, in DER or PEM', async () => {
    const other = await pki.client({ subject: 'CN=Other' });
    const root = await ofRoot();
    const issuing = await issueList({ issuer: pki.intermediate, revoked: [other] });
    for (const lists of [
      [root.pem + issuing.pem],
      [root.pem, issuing.pem],
      [root.der, issuing.der],
    ]) {
      expect(await verdictOn(client.der, { bundle: pki.bundle, lists })).toBe('good');
      expect(await verdictOn(other.der, { bundle: pki.bundle, lists })).toBe('CERTIFICATE_REVOKED');
    }
  });

  test('without lists, where there are none', async () => {
    expect(await verdictOn(client.der, { bundle: pki.bundle })).toBe('good');
  });

  test('without a current list, where none is required; what is revoked stays so', async () => {
    const old = await issueList({ issuer: pki.intermediate, days: [-9, -1], revoked: [client] });
    const other = await pki.client({ subject: 'CN=Other' });
    const circumstances = { bundle: pki.bundle, lists: [old.pem], crlRequired: false };
    expect(await verdictOn(other.der, circumstances)).toBe('good');
    expect(await verdictOn(client.der, circumstances)).toBe('CERTIFICATE_REVOKED');
  });

  test.each(['RSA-2048', 'RSA-2048-PSS', 'P-384', 'Ed25519'] as const)(
    'by an authority that signs its list with %s',
    async (algorithm) => {
      const issuer = await issueAuthority({ subject: 'CN=Root', algorithm });
      const leaf = await pki.client({ subject: 'CN=a', issuer });
      const lists = [(await issueList({ issuer, revoked: [client] })).pem];
      expect(await verdictOn(leaf.der, { bundle: issuer.pem, lists })).toBe('good');
    },
  );
});
