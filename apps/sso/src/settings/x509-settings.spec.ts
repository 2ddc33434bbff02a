import { describe, expect, test } from '@jest/globals';
import { loadSettings } from '@tessera/config';
import { SsoSettings } from './sso-settings.js';

const ON = [
  '--profiles.active=dev',
  '--sso.modules=rest,rest-x509',
  '--sso.rest.x509.ca-file=ca.pem',
];

async function load(...argv: readonly string[]): Promise<SsoSettings> {
  const context = {
    application: 'sso',
    argv: [...ON, ...argv],
    env: {},
    directory: '/nonexistent',
  };
  return (await loadSettings(SsoSettings, context)).settings;
}

describe('the settings of certificates', () => {
  test('accept no certificate by default', async () => {
    expect((await load()).x509).toMatchObject({
      trustedHosts: [],
      headerName: '',
      headerProxies: [],
      tls: false,
      crlRequired: true,
      principal: 'subject-dn',
    });
  });

  test.each([
    ['--sso.rest.x509.ca-file=', 'sso.rest.x509.ca-file: is required by module rest-x509'],
    ['--sso.modules=rest-x509', 'sso.modules: must name rest too where it names rest-x509'],
    ['--sso.rest.x509.trusted-hosts=10.0.0.0/33', 'sso.rest.x509.trusted-hosts: "10.0.0.0/33"'],
    ['--sso.rest.x509.header.proxies=proxy', 'sso.rest.x509.header.proxies: "proxy"'],
    [
      '--sso.rest.x509.header.name=Client-Cert',
      'sso.rest.x509.header.proxies: is required where sso.rest.x509.header.name is given',
    ],
    [
      '--sso.rest.x509.trusted-hosts=0.0.0.0/0',
      'sso.rest.x509.trusted-hosts: must not contain every address',
    ],
    [
      '--sso.rest.x509.header.proxies=::/0',
      'sso.rest.x509.header.proxies: must not contain every address',
    ],
    [
      '--sso.rest.x509.header.proxies=10.0.0.1',
      'sso.rest.x509.header.name: is required where sso.rest.x509.header.proxies is given',
    ],
    ['--sso.rest.x509.header.name=a:b', 'sso.rest.x509.header.name: must be the name of a header'],
    [
      '--sso.rest.x509.header.format=pem',
      'sso.rest.x509.header.format: must be one of nginx, rfc9440',
    ],
    ['--sso.rest.x509.subject-pattern=(', 'sso.rest.x509.subject-pattern: is not an RE2 pattern'],
    ['--sso.rest.x509.issuer-pattern=(?=a)', 'sso.rest.x509.issuer-pattern: is not an RE2 pattern'],
    ['--sso.rest.x509.principal=uid', 'sso.rest.x509.principal: must be subject-dn, cn'],
    ['--sso.rest.x509.principal=attribute:', 'sso.rest.x509.principal: must be subject-dn, cn'],
    [
      '--sso.rest.x509.tls=true',
      'sso.rest.x509.tls: is of no effect without sso.tls.client-certificates=request',
    ],
  ])('refuse %s', async (argument, message) => {
    await expect(load(argument)).rejects.toThrow(message);
  });
});
