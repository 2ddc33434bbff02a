import { beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { CertificateError } from '@tessera/certificates';
import { createTestPki } from '../../../../test/support/pki/test-pki.js';
import { anyText } from '../../../../test/support/any-text.js';
import type { CertificateHeaderFormat } from '../settings/x509-settings.js';
import { readCertificateHeader } from './client-certificate-header.js';

const FORMATS: readonly CertificateHeaderFormat[] = ['nginx', 'rfc9440'];
let certificate: { readonly der: Buffer; readonly pem: string };

beforeAll(async () => {
  certificate = await (await createTestPki()).client({ subject: 'CN=ann' });
});

/** The header of each format. */
const written = (): Readonly<Record<CertificateHeaderFormat, string>> => ({
  nginx: encodeURIComponent(certificate.pem),
  rfc9440: `:${certificate.der.toString('base64')}:`,
});

function outcome(value: string, format: CertificateHeaderFormat): string {
  try {
    return Buffer.from(readCertificateHeader(value, format)).toString('base64');
  } catch (error) {
    if (error instanceof CertificateError) return error.code;
    throw error;
  }
}

describe.each(FORMATS)('a header of format %s', (format) => {
  test('gives the certificate that was written', () => {
    expect(outcome(written()[format], format)).toBe(certificate.der.toString('base64'));
  });

  test.each([
    ['', ''],
    ['a word', 'none'],
    ['colons alone', '::'],
    ['an open escape', '%E0%A4%A'],
    ['nginx\u2019s log form, with tabs', '-----BEGIN CERTIFICATE-----\tMII'],
  ])('is refused where it holds %s', (_what, value) => {
    expect(outcome(value, format)).toBe('CERTIFICATE_UNREADABLE');
  });

  test('is refused where it holds two certificates', () => {
    const value = written()[format];
    expect(outcome(`${value}, ${value}`, format)).toBe('CERTIFICATE_UNREADABLE');
  });

  test('is refused in the other format\u2019s spelling', () => {
    const other = format === 'nginx' ? 'rfc9440' : 'nginx';
    expect(outcome(written()[other], format)).toBe('CERTIFICATE_UNREADABLE');
  });

  test('is refused, and nothing worse, whatever it holds', () => {
    fc.assert(
      fc.property(anyText(), (value) => {
        expect(outcome(value, format)).toBe('CERTIFICATE_UNREADABLE');
      }),
    );
  });

  test('is refused wherever it is cut', () => {
    const value = written()[format].replace(/%0A$/, '');
    fc.assert(
      fc.property(fc.nat({ max: value.length - 1 }), (end) => {
        expect(outcome(value.slice(0, end), format)).toBe('CERTIFICATE_UNREADABLE');
      }),
    );
  });
});
