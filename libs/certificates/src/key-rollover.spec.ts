import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { Extension, KeyUsageFlags } from '@peculiar/x509';
import { configureLogging } from '@tessera/logging';
import {
  type AuthorityRequest,
  issueAuthority,
  issueList,
  type TestCertificate,
} from '../../../test/support/pki/test-certificate.js';
import { createTestPki, type TestPki } from '../../../test/support/pki/test-pki.js';
import { verdictOn } from '../../../test/support/pki/test-verifier.js';

const CA = 'O=Example, CN=Rollover';

let pki: TestPki;
/** Each key certified by the root, and each certified by the other. */
let oldCa: TestCertificate;
let newCa: TestCertificate;
let newWithOld: TestCertificate;
let oldWithNew: TestCertificate;
/** Certificates that the old key signed. */
let revoked: TestCertificate;
let good: TestCertificate;
let lines: string[];

beforeAll(async () => {
  pki = await createTestPki();
  oldCa = await authority('old', pki.root);
  newCa = await authority('new', pki.root);
  newWithOld = await authority('new', oldCa);
  oldWithNew = await authority('old', newCa);
  revoked = await pki.client({ subject: 'CN=Revoked', issuer: oldCa });
  good = await pki.client({ subject: 'CN=Good', issuer: oldCa });
});

beforeEach(() => {
  lines = [];
  configureLogging({ application: 'test', levels: {}, write: (line) => lines.push(line) });
});

function authority(
  key: string,
  issuer?: TestCertificate,
  more: Partial<AuthorityRequest> = {},
): Promise<TestCertificate> {
  return issueAuthority({ subject: CA, key, ...(issuer && { issuer }), ...more });
}

type Signer = Pick<TestCertificate, 'subject' | 'keys'>;

const listOf = async (issuer: Signer, ...named: readonly TestCertificate[]) =>
  (await issueList({ issuer, revoked: named })).pem;

const pem = (...certificates: readonly TestCertificate[]) =>
  certificates.map((certificate) => certificate.pem).join('');

/** The verdicts on the revoked and on the good certificate, with lists required and without. */
async function verdicts(
  authorities: readonly TestCertificate[],
  lists: readonly string[],
  leaves = [revoked, good],
): Promise<string[]> {
  const bundle = pem(...authorities);
  const pending = [true, false].flatMap((crlRequired) =>
    leaves.map(({ der }) => verdictOn(der, { bundle, lists, crlRequired })),
  );
  return (await Promise.all(pending)).map((verdict) => verdict.replace('CERTIFICATE_', ''));
}

describe('a list that another key of the issuer signed counts', () => {
  test.each<[string, () => readonly TestCertificate[]]>([
    ['PKITS 4.5.1 and 4.5.2: the new key certified the old one', () => [newCa, oldWithNew]],
    ['PKITS 4.5.4 and 4.5.5: the old key certified the new one', () => [oldCa, newWithOld]],
    ['both certified each other', () => [oldCa, newCa, oldWithNew, newWithOld]],
    ['another authority certified both, and one the other', () => [oldCa, newCa, oldWithNew]],
  ])('%s', async (_title, authorities) => {
    const lists = [await pki.lists(), await listOf(newCa, revoked)];
    const bundle = [pki.root, pki.intermediate, ...authorities()];
    expect(await verdicts(bundle, lists)).toEqual(['REVOKED', 'good', 'REVOKED', 'good']);
  });

  test.each<[string, () => Promise<readonly TestCertificate[]>]>([
    [
      'the old one',
      async () => [await authority('old'), await authority('new', await authority('old'))],
    ],
    [
      'the new one',
      async () => [await authority('new'), await authority('old', await authority('new'))],
    ],
    [
      'both',
      async () => [
        await authority('old'),
        await authority('new'),
        await authority('old', await authority('new')),
      ],
    ],
  ])('where the authority is an anchor: %s', async (_title, authorities) => {
    const list = await listOf(newCa, revoked);
    expect(await verdicts(await authorities(), [list])).toEqual([
      'REVOKED',
      'good',
      'REVOKED',
      'good',
    ]);
  });

  test('PKITS 4.5.3: on certificates of the new key, with a list of the old key on the new one', async () => {
    const leaf = await pki.client({ subject: 'CN=New', issuer: newWithOld });
    const lists = [await listOf(pki.root), await listOf(oldCa), await listOf(newCa, revoked)];
    expect(await verdicts([pki.root, oldCa, newWithOld], lists, [leaf])).toEqual(['good', 'good']);
  });

  test('PKITS 4.5.6 and 4.5.7: a key that only signs lists', async () => {
    const usage = KeyUsageFlags.cRLSign;
    const signer = await authority('lists', oldCa, { usage, isAuthority: false });
    const lists = [await listOf(pki.root), await listOf(signer, revoked)];
    expect(await verdicts([pki.root, oldCa, signer], lists)).toEqual([
      'REVOKED',
      'good',
      'REVOKED',
      'good',
    ]);
  });
});

describe('a list of another key revokes its entries, and does not prove that others are valid', () => {
  const UNPROVED = ['REVOKED', 'CRL_UNUSABLE', 'REVOKED', 'good'];

  test.each<[string, () => Promise<readonly TestCertificate[]>]>([
    ['where the two keys did not certify each other', () => Promise.resolve([oldCa, newCa])],
    [
      'where the certificate between them has expired',
      async () => [oldCa, await authority('new', oldCa, { days: [-9, -1] })],
    ],
    [
      'where the certificate between them is not yet valid',
      async () => [oldCa, await authority('new', oldCa, { days: [1, 9] })],
    ],
    [
      'where its certificate does not allow lists',
      async () => [oldCa, await authority('new', oldCa, { usage: KeyUsageFlags.keyCertSign })],
    ],
    [
      'where its certificate is of no authority, and does not allow lists',
      async () => [
        oldCa,
        await authority('new', oldCa, {
          isAuthority: false,
          usage: KeyUsageFlags.digitalSignature,
        }),
      ],
    ],
    [
      'where its certificate has a critical extension that is not known',
      async () => [
        oldCa,
        await authority('new', oldCa, {
          more: [new Extension('1.2.3', true, Buffer.from('0500', 'hex'))],
        }),
      ],
    ],
    [
      'where one key certified the other through a third',
      async () => {
        const third = await authority('third', oldCa);
        return [oldCa, third, await authority('new', third)];
      },
    ],
  ])('%s', async (_title, authorities) => {
    const lists = [await listOf(pki.root), await listOf(newCa, revoked)];
    expect(await verdicts([pki.root, ...(await authorities())], lists)).toEqual(UNPROVED);
  });

  test('where the certificate between them is revoked', async () => {
    const lists = [await listOf(pki.root), await listOf(newCa, revoked, newWithOld)];
    expect(await verdicts([pki.root, oldCa, newWithOld], lists)).toEqual(UNPROVED);
  });

  test('on the certificate of that key itself', async () => {
    const leaf = await pki.client({ subject: 'CN=New', issuer: newWithOld });
    const lists = [await listOf(pki.root), await listOf(newCa)];
    const seen = await verdicts([pki.root, oldCa, newWithOld], lists, [leaf]);
    expect(seen).toEqual(['CRL_UNUSABLE', 'good']);
  });

  test('where it has expired', async () => {
    const old = await issueList({ issuer: newCa, revoked: [revoked], days: [-9, -1] });
    const lists = [await listOf(pki.root), old.pem];
    expect(await verdicts([pki.root, oldCa, newWithOld], lists)).toEqual(UNPROVED);
  });
});

describe('two authorities of one name, below different anchors,', () => {
  let other: TestCertificate;
  let ofOther: TestCertificate;

  beforeAll(async () => {
    other = await authority('unrelated');
    ofOther = await pki.client({
      subject: 'CN=Same number',
      issuer: other,
      serialNumber: revoked.serialNumber,
    });
  });

  test('have each their own list', async () => {
    const lists = [await listOf(pki.root), await listOf(oldCa, revoked), await listOf(other)];
    const seen = await verdicts([pki.root, oldCa, other], lists, [revoked, good, ofOther]);
    expect(seen).toEqual(['REVOKED', 'good', 'good', 'REVOKED', 'good', 'good']);
  });

  test('have no effect on each other', async () => {
    const lists = [await listOf(pki.root), await listOf(other)];
    expect(await verdicts([pki.root, oldCa, other], lists, [good])).toEqual([
      'CRL_UNUSABLE',
      'good',
    ]);
  });
});

describe('a list of the issuer that no key of the bundle verifies refuses its certificates', () => {
  const REFUSED = ['CRL_UNUSABLE', 'CRL_UNUSABLE'];

  test('also with a good one, until it is removed', async () => {
    const lists = [await listOf(pki.root), await listOf(oldCa)];
    expect(await verdicts([pki.root, oldCa], lists, [good])).toEqual(['good', 'good']);
    const unknown = await listOf(newCa);
    expect(await verdicts([pki.root, oldCa], [...lists, unknown], [good])).toEqual(REFUSED);
  });

  test('with a warning that names the issuer and the file', async () => {
    const lists = [await listOf(newCa)];
    await verdicts([pki.root, oldCa], lists, [good]);
    const warnings = lines.filter((line) => line.includes('cannot be verified'));
    expect(JSON.parse(warnings[0]!)).toMatchObject({
      level: 'warn',
      issuer: 'CN=Rollover,O=Example',
      path: expect.stringMatching(/0\.crl$/),
    });
  });

  test('also where only a certificate without a chain to an anchor verifies it', async () => {
    const stranger = await authority('strange root');
    const astray = await authority('astray', stranger);
    const lists = [await listOf(pki.root), await listOf(oldCa), await listOf(astray)];
    expect(await verdicts([pki.root, oldCa, astray], lists, [good])).toEqual(REFUSED);
  });

  test('an entry of a verified list is still REVOKED', async () => {
    const lists = [await listOf(oldCa, revoked), await listOf(newCa)];
    expect(await verdicts([pki.root, oldCa], lists, [revoked])).toEqual(['REVOKED', 'REVOKED']);
  });

  test('but not those of other issuers', async () => {
    const lists = [await pki.lists(), await listOf(newCa)];
    const leaf = await pki.client({ subject: 'CN=Elsewhere' });
    const bundle = [pki.root, pki.intermediate, oldCa];
    expect(await verdicts(bundle, lists, [leaf])).toEqual(['good', 'good']);
  });
});
