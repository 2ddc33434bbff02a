import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createTestPki, type TestPki } from '../../../test/support/pki/test-pki.js';
import { issueList, type TestCertificate } from '../../../test/support/pki/test-certificate.js';
import { der as element } from '../../../test/support/pki/encode-der.js';
import { openVerifier, type OpenVerifier } from '../../../test/support/pki/test-verifier.js';
import { Certificate } from './certificate.js';
import { CertificateError } from './certificate-error.js';
import { DerElement } from './der/der-element.js';
import { RevocationList } from './revocation-list.js';

let pki: TestPki;
let opened: OpenVerifier;
let clients: TestCertificate[];
let list: Buffer;

beforeAll(async () => {
  pki = await createTestPki();
  opened = await openVerifier({ bundle: pki.bundle });
  const names = [
    { type: 'email', value: 'jane@example.org' },
    { type: 'upn', value: 'jane@corp.example.org' },
  ] as const;
  const subject = 'O=Example, CN=Jane Doe';
  clients = [
    await pki.client({ subject, names: [...names] }),
    await pki.client({ subject, algorithm: 'RSA-2048-PSS' }),
  ];
  list = (await issueList({ issuer: pki.intermediate, revoked: clients })).der;
});

afterAll(() => opened.close());

/** Whether the attempt throws a CertificateError; other errors are rethrown. */
function isRefused(attempt: () => unknown): boolean {
  try {
    attempt();
    return false;
  } catch (error) {
    if (error instanceof CertificateError) return true;
    throw error;
  }
}

const verify = (bytes: Uint8Array) => opened.verifier.verify(bytes, new Date());

describe('a good certificate is refused', () => {
  test.each([0, 1])('with any bit flipped (%i)', (number) => {
    const { der } = clients[number]!;
    expect(isRefused(() => verify(der))).toBe(false);
    const accepted = Array.from(der.keys(), (place) => {
      const changed = Buffer.from(der);
      changed[place]! ^= 1 << (place % 8);
      return isRefused(() => verify(changed)) ? [] : [place];
    });
    expect(accepted.flat()).toEqual([]);
  });

  test('cut off anywhere', () => {
    const { der } = clients[0]!;
    const lengths = Array.from(der.keys());
    expect(lengths.filter((length) => !isRefused(() => verify(der.subarray(0, length))))).toEqual(
      [],
    );
  });

  test('with bytes changed, inserted or removed', () => {
    const { der } = clients[0]!;
    const places = fc.nat(der.length - 1);
    fc.assert(
      fc.property(places, fc.nat(8), fc.uint8Array({ maxLength: 8 }), (place, count, bytes) => {
        const changed = Buffer.concat([der.subarray(0, place), bytes, der.subarray(place + count)]);
        fc.pre(!changed.equals(der));
        return isRefused(() => verify(changed));
      }),
      { numRuns: 200 },
    );
  });
});

describe('a certificate is not even read', () => {
  const BEGINNING = 'a00302010202017f';

  test.each([
    ['that has extensions before version 3', BEGINNING, 'a00302010102017f'],
    ['that has a negative number', BEGINNING, 'a003020102020180'],
    [
      'that names another algorithm than it is signed with',
      '2a8648ce3d0403020',
      '2a8648ce3d0403030',
    ],
    ['that is critical by another byte than DER has', '0101ff', '010101'],
    ['that has an extension which is no DER', '0403020780', '04030207c0'],
  ])('%s', async (_title, before, after) => {
    const { der } = await pki.client({ subject: 'CN=a', serialNumber: '7f' });
    const hex = der.toString('hex');
    expect(hex).toContain(before);
    const changed = Buffer.from(hex.replace(before, after), 'hex');
    expect(() => Certificate.read(changed)).toThrow(
      expect.objectContaining({ code: 'CERTIFICATE_UNREADABLE' }),
    );
  });

  test('that has a number of more than 20 bytes', async () => {
    const { der } = await pki.client({ subject: 'CN=a', serialNumber: '7f'.repeat(22) });
    expect(() => Certificate.read(der)).toThrow('serial number');
  });

  test('that has more than 128 alternative names', async () => {
    const named = async (count: number) => {
      const names = Array.from({ length: count }, (_, number) => `a${number}@example.org`);
      const emails = names.map((value) => ({ type: 'email', value }) as const);
      return (await pki.client({ subject: 'CN=a', names: emails })).der;
    };
    expect(Certificate.read(await named(128)).signed.extensions.alternativeNames).toHaveLength(128);
    const many = await named(129);
    expect(() => Certificate.read(many)).toThrow('a DER element holds more than 128');
  });

  test('that has more than 16 KiB', () => {
    expect(() => Certificate.read(Buffer.alloc(16_385, 0x30))).toThrow('16384');
  });
});

describe('for any bytes, reading succeeds or throws a CertificateError', () => {
  test.each<[string, () => Buffer, (bytes: Uint8Array) => unknown]>([
    ['a certificate', () => clients[0]!.der, (bytes) => Certificate.read(bytes)],
    ['a list', () => list, (bytes) => RevocationList.read(bytes)],
  ])('%s', (_title, sample, read) => {
    const bytes = sample();
    const change = fc.tuple(fc.nat(bytes.length - 1), fc.nat(255));
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 4 }), (changes) => {
        const changed = Buffer.from(bytes);
        for (const [place, value] of changes) changed[place] = value;
        isRefused(() => read(changed));
      }),
      { numRuns: 200 },
    );
    fc.assert(fc.property(fc.uint8Array({ maxLength: 64 }), (any) => isRefused(() => read(any))));
  });
});

test('a list whose signature is not of whole bytes is not read', () => {
  const [signed, algorithm, signature] = [...DerElement.read(list).children()];
  const bits = Buffer.from(signature!.content);
  bits[0] = 1;
  const changed = element(0x30, signed!.encoding, algorithm!.encoding, element(0x03, bits));
  expect(isRefused(() => RevocationList.read(list))).toBe(false);
  expect(isRefused(() => RevocationList.read(changed))).toBe(true);
});

test('a list of 100,000 serial numbers is read, and includes each of them', () => {
  const entry = (number: number) => {
    const serial = Buffer.from(`02041${number.toString(16).padStart(7, '0')}`, 'hex');
    return element(0x30, serial, element(0x17, '260101000000Z'));
  };
  const entries = Buffer.concat(Array.from({ length: 100_000 }, (_, number) => entry(number)));
  const parts = [...DerElement.read(list).children()];
  const [version, algorithm, issuer, from, until] = [...parts[0]!.children()];
  const before = [version!, algorithm!, issuer!, from!, until!].map(({ encoding }) => encoding);
  const signed = element(0x30, ...before, element(0x30, entries));
  const read = RevocationList.read(element(0x30, signed, parts[1]!.encoding, parts[2]!.encoding));
  expect(
    [0, 50_000, 99_999, 100_000].map((number) =>
      read.includes(entry(number).toString('hex', 4, 8)),
    ),
  ).toEqual([true, true, true, false]);
});
