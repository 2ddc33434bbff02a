import { beforeAll, describe, expect, test } from '@jest/globals';
import { type JsonGeneralNames, type JsonName, Name } from '@peculiar/x509';
import { createTestPki, type TestPki } from '../../../test/support/pki/test-pki.js';
import { withVerifier } from '../../../test/support/pki/test-verifier.js';
import {
  principalOf,
  type PrincipalRule,
  type VerifiedCertificate,
} from './verified-certificate.js';

let pki: TestPki;

beforeAll(async () => {
  pki = await createTestPki();
});

async function verified(
  subject: string | JsonName,
  names: JsonGeneralNames = [],
  serialNumber = '0a1b',
): Promise<VerifiedCertificate> {
  const { der } = await pki.client({ subject, serialNumber, ...(names.length > 0 && { names }) });
  return withVerifier({ bundle: pki.bundle }, (verifier) => verifier.verify(der, new Date()));
}

const JANE =
  'DC=org, DC=example, O=Example, OU=Staff, OU=Research, CN=Jane Doe, E=jane@example.org';

/** A bit string, in the syntax of the test library. */
const NO_TEXT = '#03020780';

describe('a certificate gives no user name', () => {
  const rows: readonly [string, PrincipalRule, string | JsonName, JsonGeneralNames?][] = [
    ['without a common name', 'cn', 'O=Example'],
    ['with two common names', 'cn', 'CN=jane, CN=root'],
    ['with an empty common name', 'cn', [{ CN: [''] }]],
    ['with a common name that is no text', 'cn', [{ CN: [NO_TEXT] }]],
    ['with a second common name that is no text', 'cn', [{ CN: ['jane'] }, { CN: [NO_TEXT] }]],
    ['with a first common name that is no text', 'cn', [{ CN: [NO_TEXT] }, { CN: ['jane'] }]],
    ['with a common name that goes on behind a NUL', 'cn', [{ CN: ['root\0.example.org'] }]],
    ['with a common name of two lines', 'cn', [{ CN: ['jane\nroot'] }]],
    ['with a common name that begins with a space', 'cn', [{ CN: [' root'] }]],
    ['with a NUL anywhere in the subject', 'subject-dn', [{ O: ['a\0b'] }, { CN: ['jane'] }]],
    ['without a subject', 'subject-dn', []],
    ['without an e-mail address among its names', 'email', JANE],
    [
      'with two e-mail addresses',
      'email',
      'CN=a',
      [
        { type: 'email', value: 'jane@example.org' },
        { type: 'email', value: 'root@example.org' },
      ],
    ],
    [
      'with a NUL in its e-mail address',
      'email',
      'CN=a',
      [{ type: 'email', value: 'root@a\0.org' }],
    ],
    ['without a principal name', 'upn', 'CN=a', [{ type: 'email', value: 'jane@example.org' }]],
    ['with two values of the attribute', 'attribute:OU', JANE],
    ['without the attribute', 'attribute:UID', JANE],
  ];

  test.each(rows.map(([title, rule, subject, names = []]) => ({ title, rule, subject, names })))(
    '$title, by $rule',
    async ({ rule, subject, names }) => {
      expect(principalOf(await verified(subject, names), rule)).toBeUndefined();
    },
  );
});

describe('a certificate gives a user name', () => {
  test.each<[PrincipalRule, string]>([
    ['cn', 'Jane Doe'],
    ['serial-number', '0a1b'],
    ['email', 'jane@example.org'],
    ['upn', 'jane@corp.example.org'],
    ['attribute:O', 'Example'],
    ['attribute:emailaddress', 'jane@example.org'],
    ['attribute:EMAILADDRESS', 'jane@example.org'],
    ['attribute:2.5.4.3', 'Jane Doe'],
    [
      'subject-dn',
      'emailAddress=jane@example.org,CN=Jane Doe,OU=Research,OU=Staff,O=Example,DC=example,DC=org',
    ],
  ])('by %s: %s', async (rule, name) => {
    const certificate = await verified(JANE, [
      { type: 'dns', value: 'example.org' },
      { type: 'email', value: 'jane@example.org' },
      { type: 'upn', value: 'jane@corp.example.org' },
    ]);
    expect(principalOf(certificate, rule)).toBe(name);
  });

  test('by an attribute without a short name, by its object identifier', async () => {
    const subject = new Name([{ '1.2.3.4': [{ utf8String: 'x' }] }]).toJSON();
    expect(principalOf(await verified(subject), 'attribute:1.2.3.4')).toBe('x');
  });

  test('by the whole subject, with values that are not texts in hex', async () => {
    const certificate = await verified([{ O: [NO_TEXT] }, { CN: ['jane'] }]);
    expect(principalOf(certificate, 'subject-dn')).toBe(`CN=jane,O=${NO_TEXT}`);
  });

  test.each([
    ['80', '80'],
    ['00ff', 'ff'],
    ['0102030405060708090a0b0c0d0e0f1011121314', '0102030405060708090a0b0c0d0e0f1011121314'],
  ])('the serial number %s as %s', async (serial, written) => {
    const certificate = await verified('CN=a', [], serial);
    expect(principalOf(certificate, 'serial-number')).toBe(written);
  });
});

test('a verified certificate has subject, issuer and expiry', async () => {
  const certificate = await verified(JANE);
  expect(certificate).toMatchObject({
    issuer: 'CN=Test Issuing,O=Example',
    fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/),
    emails: [],
    principalNames: [],
  });
  expect(certificate.notAfter.getTime()).toBeGreaterThan(Date.now());
  expect([...certificate.attributes]).toEqual([
    ['DC', ['org', 'example']],
    ['O', ['Example']],
    ['OU', ['Staff', 'Research']],
    ['CN', ['Jane Doe']],
    ['emailAddress', ['jane@example.org']],
  ]);
});
