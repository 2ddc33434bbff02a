import { beforeAll, describe, expect, test } from '@jest/globals';
import { Extension, KeyUsageFlags, Name } from '@peculiar/x509';
import { configureLogging } from '@tessera/logging';
import { der as element, generalName } from '../../../test/support/pki/encode-der.js';
import {
  issueAuthority,
  issueList,
  type ListRequest,
  type TestCertificate,
} from '../../../test/support/pki/test-certificate.js';
import { withDigest } from '../../../test/support/pki/test-keys.js';
import { createTestPki, type TestPki } from '../../../test/support/pki/test-pki.js';
import { verdictOn } from '../../../test/support/pki/test-verifier.js';

let pki: TestPki;
let client: TestCertificate;

beforeAll(async () => {
  configureLogging({ application: 'test', levels: { root: 'error' } });
  pki = await createTestPki();
  client = await pki.client({ subject: 'CN=Jane Doe' });
});

const ofRoot = (...revoked: TestCertificate[]) => issueList({ issuer: pki.root, revoked });
const partial = (identifier: string, critical = true) =>
  new Extension(identifier, critical, Buffer.from('3000', 'hex'));
const DELTA = '2.5.29.27';
const DISTRIBUTION_POINT = '2.5.29.28';

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
      'whose list has no next update',
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
        await issueList({ issuer: pki.intermediate, extensions: [partial(DELTA)] }),
      ],
    ],
    [
      'whose list is one of changes, without calling that critical',
      'CRL_UNUSABLE',
      async () => [
        await ofRoot(),
        await issueList({ issuer: pki.intermediate, extensions: [partial(DELTA, false)] }),
      ],
    ],
    [
      'whose list is one of a part',
      'CRL_UNUSABLE',
      async () => [
        await ofRoot(),
        await issueList({ issuer: pki.intermediate, extensions: [partial(DISTRIBUTION_POINT)] }),
      ],
    ],
    [
      'whose list is one of a part, without calling that critical',
      'CRL_UNUSABLE',
      async () => [
        await ofRoot(),
        await issueList({
          issuer: pki.intermediate,
          extensions: [partial(DISTRIBUTION_POINT, false)],
        }),
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

describe('a list that proves no certificate valid still revokes its entries:', () => {
  const taken = new Extension('2.5.29.21', false, Buffer.from('0a0108', 'hex'));
  const of = ({ subject }: TestCertificate, critical = true) => {
    const name = new Uint8Array(new Name(subject).toArrayBuffer());
    return new Extension('2.5.29.29', critical, element(0x30, generalName.directory(name)));
  };

  test.each<[string, string, () => Partial<ListRequest>]>([
    ['one of changes', 'CERTIFICATE_REVOKED', () => ({ extensions: [partial(DELTA)] })],
    [
      'one of changes, without calling that critical',
      'CERTIFICATE_REVOKED',
      () => ({ extensions: [partial(DELTA, false)] }),
    ],
    ['one of a part', 'CERTIFICATE_REVOKED', () => ({ extensions: [partial(DISTRIBUTION_POINT)] })],
    [
      'one with an unknown critical extension',
      'CERTIFICATE_REVOKED',
      () => ({ extensions: [partial('1.2.3')] }),
    ],
    [
      'one with an unknown critical extension of an entry',
      'CERTIFICATE_REVOKED',
      () => ({ entryExtensions: [partial('1.2.3')] }),
    ],
    [
      'one whose entry names its own issuer',
      'CERTIFICATE_REVOKED',
      () => ({ entryExtensions: [of(pki.intermediate, false)] }),
    ],
    [
      'not one whose entry is of another issuer',
      'good',
      () => ({ entryExtensions: [of(pki.root)] }),
    ],
    [
      'not one that takes an entry back',
      'good',
      () => ({ extensions: [partial(DELTA)], entryExtensions: [taken] }),
    ],
  ])('%s: %s', async (_title, verdict, list) => {
    const { pem } = await issueList({ issuer: pki.intermediate, revoked: [client], ...list() });
    const circumstances = { bundle: pki.bundle, lists: [pem], crlRequired: false };
    expect(await verdictOn(client.der, circumstances)).toBe(verdict);
  });

  test('the lists of another certificate of the same authority, the only one that may sign them', async () => {
    const other = await createTestPki('Other');
    const request = { subject: 'CN=Crossed', key: 'crossed' };
    const signer = await issueAuthority({ ...request, issuer: pki.root });
    const usage = KeyUsageFlags.keyCertSign;
    const crossed = await issueAuthority({ ...request, issuer: other.root, usage });
    const leaves = await Promise.all(
      ['a', 'b'].map((cn) => pki.client({ subject: `CN=${cn}`, issuer: signer })),
    );
    const [bad, good] = leaves;
    const list = await issueList({ issuer: signer, revoked: [bad!] });
    const roots = [await ofRoot(), await issueList({ issuer: other.root })];
    const lists = [list, ...roots].map(({ pem }) => pem);
    const verdicts = async (bundle: string) => {
      const required = [true, false].map((crlRequired) => ({ bundle, lists, crlRequired }));
      const pending = required.flatMap((circumstances) =>
        [bad!, good!].map(({ der }) => verdictOn(der, circumstances)),
      );
      return (await Promise.all(pending)).map((verdict) => verdict.replace('CERTIFICATE_', ''));
    };
    const both = pki.root.pem + other.root.pem + signer.pem + crossed.pem;
    expect(await verdicts(both)).toEqual(['REVOKED', 'good', 'REVOKED', 'good']);
    // Where it may not sign lists, they do not prove that the other certificates are valid.
    const alone = other.root.pem + crossed.pem;
    expect(await verdicts(alone)).toEqual(['REVOKED', 'CRL_UNUSABLE', 'REVOKED', 'good']);
    // Nor does another path to it, when the one on which it may has expired.
    const old = await issueAuthority({ ...request, issuer: pki.root, days: [-9, -1] });
    const lapsed = pki.root.pem + other.root.pem + old.pem + crossed.pem;
    const [, verdict] = await verdicts(lapsed);
    expect(verdict).toBe('EXPIRED');
  });
});

describe('a certificate is accepted', () => {
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

  test('without a current list, where none is required; revoked ones stay revoked', async () => {
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
