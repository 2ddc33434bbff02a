import { describe, expect, test } from '@jest/globals';
import { Secret } from '@tessera/config';
import { TlsSettings } from './tls-settings.js';

type Given = Partial<Omit<TlsSettings, 'isOn' | 'check' | 'options'>>;

const settingsOf = (given: Given) => Object.assign(new TlsSettings(), given);
const violations = (given: Given) => [...settingsOf(given).check()];

const PAIR = { certificateFile: 'tls.crt', keyFile: 'tls.key' };
const CERTIFICATE = 'sso.tls.certificate-file';
const KEY = 'sso.tls.key-file';

describe('the settings of an HTTPS listener', () => {
  test.each<[string, Given, string, string]>([
    [
      'a certificate without a key',
      { certificateFile: 'tls.crt' },
      KEY,
      `is required with ${CERTIFICATE}`,
    ],
    ['a key without a certificate', { keyFile: 'tls.key' }, CERTIFICATE, `is required with ${KEY}`],
    [
      'a passphrase without a key',
      { keyPassphrase: new Secret('secret') },
      'sso.tls.key-passphrase',
      `is of no effect without ${KEY}`,
    ],
    [
      'client certificates over plain HTTP',
      { clientCertificates: 'request' },
      'sso.tls.client-certificates',
      `is of no effect without ${CERTIFICATE}`,
    ],
    [
      'client CAs without client certificates',
      { ...PAIR, clientCaFile: 'ca.pem' },
      'sso.tls.client-ca-file',
      'is of no effect without sso.tls.client-certificates=request',
    ],
  ])('refuse %s', (_, given, key, message) => {
    expect(violations(given)).toEqual([{ key, message }]);
  });

  test('have all their violations reported together', () => {
    const given = { certificateFile: 'tls.crt', keyPassphrase: new Secret(''), clientCaFile: 'x' };
    expect(violations(given)).toHaveLength(3);
  });

  test('are plain HTTP by default', () => {
    expect(violations({})).toEqual([]);
    expect(settingsOf({})).toMatchObject({ isOn: false });
    expect(settingsOf({}).options()).toBeUndefined();
  });

  test('name each file together with its key', () => {
    const given: Given = {
      ...PAIR,
      keyPassphrase: new Secret('secret'),
      clientCaFile: 'ca.pem',
      clientCertificates: 'request',
    };
    expect(violations(given)).toEqual([]);
    expect(settingsOf(given).options()).toEqual({
      certificate: { setting: CERTIFICATE, path: 'tls.crt' },
      key: { setting: KEY, path: 'tls.key' },
      passphrase: 'secret',
      clientAuthorities: { setting: 'sso.tls.client-ca-file', path: 'ca.pem' },
      requestsClientCertificate: true,
    });
  });
});
