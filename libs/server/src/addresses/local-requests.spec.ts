import type { IncomingMessage } from 'node:http';
import { describe, expect, test } from '@jest/globals';
import { reasonNotLocal } from './local-requests.js';

const HERE = '127.0.0.1';

function reason(headers: Record<string, string>, remoteAddress = HERE, httpVersion = '1.1') {
  const request = { headers, httpVersion, socket: { remoteAddress } };
  return reasonNotLocal(request as IncomingMessage);
}

describe('a request is not from this machine', () => {
  test.each([
    ['192.0.2.1'],
    ['::ffff:192.0.2.1'],
    ['::'],
    ['0.0.0.0'],
    ['128.0.0.1'],
    ['fe80::1%lo'],
    ['localhost.example.org'],
    [''],
    [undefined],
  ])('with the peer %s', (address) => {
    const request = { headers: { host: 'localhost' }, socket: { remoteAddress: address } };
    expect(reasonNotLocal(request as IncomingMessage)).toBe('this is another machine');
  });

  test.each([
    ['no name', undefined],
    ['an empty name', ''],
    ['a name that leads here', 'rebound.example.org'],
    ['a name that leads here, with a port', 'rebound.example.org:8080'],
    ['a name that begins as here', 'localhost.example.org'],
    ['a name below localhost', 'evil.localhost:8080'],
    ['a name with a dot at its end', 'localhost.'],
    ['an address as a name', '127.0.0.1.nip.io'],
    ['a short address', '127.1'],
    ['an address of another base', '0x7f.0.0.1'],
    ['an address as a number', '2130706433'],
    ['every address', '0.0.0.0:8080'],
    ['every IPv6 address', '[::]:8080'],
    ['another address', '192.0.2.1:8080'],
    ['another IPv6 address', '[2001:db8::1]'],
    ['a name behind a user', 'localhost@rebound.example.org'],
    ['a user before the name', 'rebound.example.org@localhost'],
    ['a name behind a port', 'rebound.example.org:80:localhost'],
    ['two names', 'localhost, rebound.example.org'],
    ['a path', 'localhost/x'],
    ['white space', ' localhost'],
    ['a URL', 'http://localhost:8080'],
    ['an HTTPS URL', 'https://127.0.0.1'],
    ['a port that is none', 'localhost:http'],
    ['no port behind a colon', 'localhost:'],
    ['more than a port', 'localhost:123456'],
    ['an IPv6 address without brackets', '::1'],
    ['an IPv4 address in brackets', '[127.0.0.1]:8080'],
    ['a name behind a bracket', '[localhost'],
    ['a name before a bracket', 'localhost]:8080'],
    ['a name in brackets', '[localhost]'],
    ['nothing in brackets', '[]'],
    ['a name in letters that look like it', 'loc\u0430lhost'],
  ])('that calls the server by %s', (_what, host) => {
    expect(reason(host === undefined ? {} : { host })).toBe(
      'this calls the server by another name than localhost',
    );
  });

  test.each([
    ['x-forwarded-for', '192.0.2.1'],
    ['x-forwarded-for', '127.0.0.1'],
    ['x-forwarded-for', ''],
    ['x-forwarded-host', 'sso.example.org'],
    ['x-forwarded-proto', 'https'],
    ['x-forwarded-port', '443'],
    ['x-forwarded', 'for=192.0.2.1'],
    ['x-original-forwarded-for', '192.0.2.1'],
    ['x-original-host', 'sso.example.org'],
    ['x-original-url', '/'],
    ['x-real-ip', '192.0.2.1'],
    ['x-client-ip', '192.0.2.1'],
    ['x-cluster-client-ip', '192.0.2.1'],
    ['forwarded', 'for=localhost'],
    ['via', '1.1 proxy'],
    ['cdn-loop', 'cdn'],
    ['x-envoy-external-address', '192.0.2.1'],
    ['cf-connecting-ip', '192.0.2.1'],
    ['true-client-ip', '192.0.2.1'],
    ['fastly-client-ip', '192.0.2.1'],
    ['forwarded-for', '192.0.2.1'],
    ['forwarded-for-ip', '192.0.2.1'],
    ['http-x-forwarded-for', '192.0.2.1'],
    ['client-ip', '192.0.2.1'],
    ['x-proxyuser-ip', '192.0.2.1'],
    ['fly-client-ip', '192.0.2.1'],
    ['wl-proxy-client-ip', '192.0.2.1'],
    ['x-azure-clientip', '192.0.2.1'],
    ['x-azure-socketip', '192.0.2.1'],
    ['x-appengine-user-ip', '192.0.2.1'],
    ['x-remote-ip', '192.0.2.1'],
    ['x-originating-ip', '192.0.2.1'],
    ['do-connecting-ip', '192.0.2.1'],
    ['x-remote-addr', '192.0.2.1'],
    ['x_forwarded_for', '192.0.2.1'],
    ['x_real_ip', '192.0.2.1'],
    ['http_client_ip', '192.0.2.1'],
    ['remote_addr', '192.0.2.1'],
    ['cdn_loop', 'cdn'],
  ])('that a proxy passes on, in %s: %j', (name, value) => {
    expect(reason({ host: 'localhost', [name]: value })).toBe(
      `the header ${name} says that a proxy passes this on for others`,
    );
  });

  test.each([
    ['origin', 'https://example.org'],
    ['origin', 'http://localhost.example.org'],
    ['origin', 'http://evil.localhost'],
    ['origin', 'http://localhost@example.org'],
    ['origin', 'http://localhost https://example.org'],
    ['origin', 'http://localhost'],
    ['origin', 'http://localhost:3000'],
    ['origin', 'http://localhost:80801'],
    ['origin', 'http://127.0.0.1:8080'],
    ['origin', 'http://[::1]:8080'],
    ['origin', 'localhost:8080'],
    ['origin', '//localhost:8080'],
    ['origin', 'ftp://localhost:8080'],
    ['origin', 'http://http://localhost:8080'],
    ['origin', 'http://localhost:8080/'],
    ['origin', 'file://'],
    ['origin', 'null'],
    ['origin', ''],
    ['sec-fetch-site', 'cross-site'],
    ['sec-fetch-site', 'same-site'],
    ['sec-fetch-site', 'none, none'],
    ['sec-fetch-site', ''],
  ])('that a page makes, as %s: %j tells', (name, value) => {
    expect(reason({ host: 'localhost:8080', [name]: value })).toBe(
      'a page from elsewhere makes this request',
    );
  });

  test('in HTTP/1.0', () => {
    expect(reason({ host: 'localhost' }, HERE, '1.0')).toBe('this speaks HTTP/1.0, as proxies do');
  });
});

describe('a request is from this machine', () => {
  test.each<[string, Record<string, string>, string]>([
    ['by address', { host: '127.0.0.1:8080' }, HERE],
    ['by another of its addresses', { host: '127.255.255.254' }, '127.0.0.2'],
    ['by name', { host: 'localhost' }, '::ffff:127.0.0.1'],
    ['by name in capitals', { host: 'LocalHost:8080' }, HERE],
    ['over IPv6', { host: '[::1]:8080' }, '::1'],
    ['over IPv6 written at length', { host: '[0:0:0:0:0:0:0:1]' }, '::1'],
    ['from its own page', { host: 'localhost:8080', origin: 'http://localhost:8080' }, HERE],
    ['from its own page over TLS', { host: '127.0.0.1', origin: 'https://127.0.0.1' }, HERE],
    ['from its own page over IPv6', { host: '[::1]:80', origin: 'HTTP://[::1]:80' }, '::1'],
    ['typed into a browser', { host: 'localhost', 'sec-fetch-site': 'none' }, HERE],
    ['from a page of its own', { host: 'localhost', 'sec-fetch-site': 'same-origin' }, HERE],
    [
      'with headers of no account',
      { host: 'localhost', 'x-forward': 'x', 'user-agent': 'x', 'x-zip': 'x', 'client-id': 'x' },
      HERE,
    ],
  ])('%s', (_rule, headers, address) => {
    expect(reason(headers, address)).toBeUndefined();
  });
});
