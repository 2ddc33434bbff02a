import { beforeAll, describe, expect, test } from '@jest/globals';
import {
  issueAuthority,
  type TestCertificate,
} from '../../../test/support/pki/test-certificate.js';
import { createTestPki, type TestPki } from '../../../test/support/pki/test-pki.js';
import { verdictOn } from '../../../test/support/pki/verifying.js';
import { Certificate } from './certificate.js';
import { TrustStore } from './trust-store.js';

let pki: TestPki;

beforeAll(async () => {
  pki = await createTestPki();
});

const read = ({ der }: Pick<TestCertificate, 'der'>) => Certificate.read(der);

describe('several ways to an anchor', () => {
  test('one that holds is enough', async () => {
    const request = { subject: 'CN=Twice', key: 'twice', issuer: pki.root };
    const old = await issueAuthority({ ...request, days: [-9, -1] });
    const current = await issueAuthority(request);
    const { der } = await pki.client({ subject: 'CN=a', issuer: current });
    for (const bundle of [old.pem + current.pem, current.pem + old.pem]) {
      expect(await verdictOn(der, { bundle: pki.root.pem + bundle })).toBe('good');
    }
  });

  test('authorities that certify each other in a ring end in a refusal, soon', async () => {
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
    const store = new TrustStore([anchor!, ...crossed].map(read), []);
    const ways = [...store.paths(read({ der }), 8)];
    expect(ways[0]).toHaveLength(2);
    expect(ways.length).toBeLessThan(300);
  });
});
