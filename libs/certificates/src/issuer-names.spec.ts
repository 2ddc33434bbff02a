import { beforeAll, describe, expect, test } from '@jest/globals';
import { Extension, type JsonName, type JsonNameParams, Name } from '@peculiar/x509';
import { der, generalName } from '../../../test/support/pki/encode-der.js';
import {
  issue,
  issueAuthority,
  issueList,
  type TestCertificate,
} from '../../../test/support/pki/test-certificate.js';
import { verdictOn } from '../../../test/support/pki/test-verifier.js';

type StringType = 'printableString' | 'utf8String' | 'bmpString';

/** The library accepts string types in names, but its types do not have them. */
function named(type: StringType, commonName: string): JsonName {
  const parts: JsonNameParams = [{ O: [{ [type]: 'Example' }] }, { CN: [{ [type]: commonName }] }];
  return parts as JsonName;
}

const PRINTABLE = named('printableString', 'Name Root');
const UTF8 = named('utf8String', 'Name Root');

let root: TestCertificate;
/** The key and name of `root`, in another string type. */
let twin: TestCertificate;
let revoked: TestCertificate;
let good: TestCertificate;

beforeAll(async () => {
  root = await issueAuthority({ subject: PRINTABLE, key: 'names' });
  twin = await issueAuthority({ subject: UTF8, key: 'names' });
  revoked = await issue({ subject: 'CN=Revoked', issuer: root });
  good = await issue({ subject: 'CN=Good', issuer: root });
});

/** A list signed by `issuer`, with another spelling of its name. */
const listNamed = async (
  subject: JsonName,
  issuer: TestCertificate,
  ...entries: readonly TestCertificate[]
) => (await issueList({ issuer: { subject, keys: issuer.keys }, revoked: entries })).pem;

/** The verdicts with lists required and without. */
function verdicts(
  leaf: TestCertificate,
  authorities: readonly TestCertificate[],
  ...lists: readonly string[]
): Promise<readonly string[]> {
  const bundle = authorities.map(({ pem }) => pem).join('');
  const pending = [true, false].map((crlRequired) =>
    verdictOn(leaf.der, { bundle, lists, crlRequired }),
  );
  return Promise.all(pending);
}

const REVOKED = ['CERTIFICATE_REVOKED', 'CERTIFICATE_REVOKED'];
const UNUSABLE = ['CERTIFICATE_CRL_UNUSABLE', 'CERTIFICATE_CRL_UNUSABLE'];
const GOOD = ['good', 'good'];

describe('a list applies to an issuer with another spelling of its name', () => {
  test.each<[string, JsonName]>([
    ['UTF8String', UTF8],
    ['BMPString', named('bmpString', 'Name Root')],
    ['letter case', named('printableString', 'NAME root')],
    ['white space', named('printableString', '  Name   Root ')],
    ['all of these', named('utf8String', ' name  ROOT')],
  ])('%s', async (_title, name) => {
    const list = await listNamed(name, root, revoked);
    expect(await verdicts(revoked, [root], list)).toEqual(REVOKED);
    expect(await verdicts(good, [root], list)).toEqual(GOOD);
  });

  test('where the certificate of the issuer is UTF8String and the list PrintableString', async () => {
    const leaf = await issue({ subject: 'CN=Leaf', issuer: twin });
    expect(await verdicts(leaf, [twin], await listNamed(PRINTABLE, twin, leaf))).toEqual(REVOKED);
  });

  test('where the issuer is an intermediate authority', async () => {
    const below = named('printableString', 'Below');
    const between = await issueAuthority({ subject: below, key: 'below', issuer: root });
    const leaf = await issue({ subject: 'CN=Leaf', issuer: between });
    const other = named('utf8String', 'below');
    const lists = [await listNamed(UTF8, root), await listNamed(other, between, leaf)];
    expect(await verdicts(leaf, [root, between], ...lists)).toEqual(REVOKED);
  });

  test('where no certificate of that name verifies it: everything is refused', async () => {
    const stranger = await issueAuthority({ subject: UTF8, key: 'stranger' });
    const lists = [await listNamed(PRINTABLE, root), await listNamed(UTF8, stranger)];
    expect(await verdicts(good, [root], ...lists)).toEqual(UNUSABLE);
  });

  test.each<[string, JsonName]>([
    ['another value', named('utf8String', 'Name Roots')],
    ['its parts in another order', UTF8.toReversed()],
    ['fewer parts', UTF8.slice(1)],
    ['two parts as one', [{ ...UTF8[0], ...UTF8[1] }]],
  ])('and for no other name: %s', async (_title, name) => {
    const list = await listNamed(name, root, revoked);
    expect(await verdicts(revoked, [root], list)).toEqual(['CERTIFICATE_CRL_UNUSABLE', 'good']);
  });
});

describe('an anchor with two spellings of its name in the bundle is one anchor', () => {
  test.each<[string, () => readonly TestCertificate[]]>([
    ['the issuer first', () => [root, twin]],
    ['the issuer last', () => [twin, root]],
  ])('for lists of the other spelling: %s', async (_title, authorities) => {
    const list = await listNamed(UTF8, twin, revoked);
    expect(await verdicts(revoked, authorities(), list)).toEqual(REVOKED);
    expect(await verdicts(good, authorities(), list)).toEqual(GOOD);
  });

  test('for the keys of an authority that they certified', async () => {
    const subject = named('utf8String', 'Rollover');
    const old = await issueAuthority({ subject, key: 'names old', issuer: root });
    const next = await issueAuthority({ subject, key: 'names new', issuer: twin });
    const leaf = await issue({ subject: 'CN=Leaf', issuer: old });
    const lists = [await listNamed(UTF8, root), await listNamed(subject, next, leaf)];
    expect(await verdicts(leaf, [root, twin, old, next], ...lists)).toEqual(REVOKED);
  });

  test('and one with another key is another anchor', async () => {
    const other = await issueAuthority({ subject: UTF8, key: 'other names' });
    const lists = [await listNamed(PRINTABLE, root), await listNamed(UTF8, other, good)];
    expect(await verdicts(good, [root, other], ...lists)).toEqual(GOOD);
  });
});

describe('an entry that names its certificate issuer revokes', () => {
  const directory = (name: JsonName) =>
    der(0x30, generalName.directory(new Uint8Array(new Name(name).toArrayBuffer())));

  test.each<[string, string, Buffer<ArrayBuffer>]>([
    ['where that is the issuer of the list', 'CERTIFICATE_REVOKED', directory(PRINTABLE)],
    ['where it spells that name in another way', 'CERTIFICATE_REVOKED', directory(UTF8)],
    ['where it has no distinguished name', 'CERTIFICATE_REVOKED', der(0x30, generalName.dns('a'))],
    ['where it has no name', 'CERTIFICATE_REVOKED', der(0x30)],
    ['where it cannot be read', 'CERTIFICATE_REVOKED', der(0x05)],
    ['not where it is another', 'good', directory(named('utf8String', 'Name Roots'))],
  ])('%s: %s', async (_title, verdict, value) => {
    const entryExtensions = [new Extension('2.5.29.29', true, value)];
    const { pem } = await issueList({ issuer: root, revoked: [revoked], entryExtensions });
    const circumstances = { bundle: root.pem, lists: [pem], crlRequired: false };
    expect(await verdictOn(revoked.der, circumstances)).toBe(verdict);
  });
});

test('a key does not confirm the certificate that certifies it, for any spelling of its name', async () => {
  const [subject, other] = [PRINTABLE, UTF8];
  const introduced = await issueAuthority({ subject, key: 'names next', issuer: root });
  const again = await issueAuthority({ subject: other, key: 'names next', issuer: root });
  const leaf = await issue({ subject: 'CN=Leaf', issuer: introduced });
  const list = await listNamed(other, introduced);
  expect(await verdicts(leaf, [root, introduced, again], list)).toEqual([
    'CERTIFICATE_CRL_UNUSABLE',
    'good',
  ]);
});

test('a path may include a certificate with another spelling of its issuer', async () => {
  const renamed = await issueAuthority({ subject: UTF8, key: 'names', issuer: root });
  const leaf = await issue({ subject: 'CN=Leaf', issuer: renamed });
  const list = await listNamed(PRINTABLE, root);
  expect(await verdicts(leaf, [root, renamed], list)).toEqual(GOOD);
});
