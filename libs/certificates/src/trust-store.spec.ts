import { beforeAll, describe, expect, test } from '@jest/globals';
import { KeyUsageFlags } from '@peculiar/x509';
import { der as element } from '../../../test/support/pki/encode-der.js';
import {
  issueAuthority,
  type TestCertificate,
} from '../../../test/support/pki/test-certificate.js';
import { createTestPki, type TestPki } from '../../../test/support/pki/test-pki.js';
import { verdictOn } from '../../../test/support/pki/test-verifier.js';
import { Certificate } from './certificate.js';
import { DerElement } from './der/der-element.js';
import { TrustStore } from './trust-store.js';

let pki: TestPki;

beforeAll(async () => {
  pki = await createTestPki();
});

const read = ({ der }: Pick<TestCertificate, 'der'>) => Certificate.read(der);

describe('several paths to an anchor', () => {
  test('one valid path is enough', async () => {
    const request = { subject: 'CN=Twice', key: 'twice', issuer: pki.root };
    const old = await issueAuthority({ ...request, days: [-9, -1] });
    const current = await issueAuthority(request);
    const { der } = await pki.client({ subject: 'CN=a', issuer: current });
    for (const bundle of [old.pem + current.pem, current.pem + old.pem]) {
      expect(await verdictOn(der, { bundle: pki.root.pem + bundle })).toBe('good');
    }
  });

  test('authorities that certify each other in a cycle are refused quickly', async () => {
    const names = Array.from({ length: 8 }, (_, number) => `CN=Ring ${number}`);
    const ring = await Promise.all(
      names.map((subject) => issueAuthority({ subject, key: 'ring' })),
    );
    const crossed = await Promise.all(
      ring.flatMap((issuer) =>
        names
          .filter((subject) => subject !== issuer.subject)
          .map((subject) => issueAuthority({ subject, key: 'ring', issuer })),
      ),
    );
    const { der } = await pki.client({ subject: 'CN=a', issuer: ring[0]! });
    const bundle = pki.root.pem + crossed.map(({ pem }) => pem).join('');
    expect(await verdictOn(der, { bundle })).toBe('CERTIFICATE_UNTRUSTED');
    const [anchor] = ring;
    const store = new TrustStore([anchor!, ...crossed].map(read));
    const ways = [...store.paths(read({ der }))];
    expect(ways[0]).toHaveLength(2);
    expect(ways.length).toBeLessThan(300);
  });
});

/** The same certificate in other bytes: anybody can turn a signature (r, s) into (r, n − s). */
function withOtherSignature(der: Buffer): Buffer {
  const order = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n; // of P-256
  const [signed, algorithm, signature] = DerElement.read(der).children();
  const [r, s] = DerElement.read(signature!.content.subarray(1)).children();
  const hex = (order - BigInt(`0x${s!.hex}`)).toString(16).padStart(64, '0');
  const other = Buffer.from(hex, 'hex');
  const shortest = other.subarray(other.findIndex((byte) => byte !== 0));
  const padding = Buffer.alloc(shortest[0]! >= 0x80 ? 1 : 0);
  const pair = element(0x30, r!.encoding, element(0x02, padding, shortest));
  return element(0x30, signed!.encoding, algorithm!.encoding, element(0x03, Buffer.of(0), pair));
}

test('an anchor is not a client certificate, also with a re-encoded signature', async () => {
  const usage = (KeyUsageFlags.digitalSignature | KeyUsageFlags.keyCertSign) as KeyUsageFlags;
  const anchor = await issueAuthority({ subject: 'CN=Root', key: 'twofold', usage });
  const client = await pki.client({ subject: 'CN=a', issuer: anchor });
  const verdicts = [anchor, client].map(async ({ der }) => {
    const other = withOtherSignature(der);
    expect(other.equals(der)).toBe(false);
    return verdictOn(other, { bundle: anchor.pem });
  });
  expect(await Promise.all(verdicts)).toEqual(['CERTIFICATE_UNTRUSTED', 'good']);
});
