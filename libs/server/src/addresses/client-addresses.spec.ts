import type { IncomingMessage } from 'node:http';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { AddressRanges } from './address-ranges.js';
import { ClientAddresses, FORWARDING_HEADERS, type ForwardingHeader } from './client-addresses.js';

const PROXY = '10.0.0.1';
const PROXIES = ['10.0.0.0/24', '2001:db8:ffff::/48'];

/** The part of a request that the code under test reads. */
function requestFrom(
  remoteAddress: string | undefined,
  headers: IncomingMessage['headers'] = {},
): IncomingMessage {
  return { socket: { remoteAddress }, headers } as IncomingMessage;
}

function clientAddressesWith(trusted: string[], header: ForwardingHeader = 'x-forwarded-for') {
  const forwarding = { proxies: AddressRanges.parse(trusted), header };
  return new ClientAddresses(forwarding);
}

const byForwardedFor = clientAddressesWith(PROXIES);
const byForwarded = clientAddressesWith(PROXIES, 'forwarded');

describe('the peer', () => {
  test.each([
    ['192.0.2.7', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['2001:DB8:0::7', '2001:db8::7'],
    ['fe80::1%eth0', 'fe80::1%eth0'],
    [undefined, 'unknown'],
  ])('%s is %s, whatever headers say', (remoteAddress, expected) => {
    const headers = { 'x-forwarded-for': '198.51.100.1', forwarded: 'for=198.51.100.1' };
    expect(byForwardedFor.peer(requestFrom(remoteAddress, headers))).toBe(expected);
    expect(byForwardedFor.of(requestFrom(remoteAddress, headers))).toBe(expected);
  });
});

describe('X-Forwarded-For of a proxy', () => {
  test.each([
    ['nothing', undefined, PROXY],
    ['an empty value', '', PROXY],
    ['a name', 'evil.example', PROXY],
    ['unknown', 'unknown', PROXY],
    ['garbage nearest to it', '198.51.100.1, <script>', PROXY],
    ['nothing nearest to it', '198.51.100.1,', PROXY],
    ['a zone', 'fe80::1%eth0', PROXY],
    ['digits of another base', '0300.0.2.7', PROXY],
    ['a port that is none', '192.0.2.7:x', PROXY],
    ['brackets left open', '[2001:db8::7', PROXY],
    ['IPv4 in brackets', '[192.0.2.7', PROXY],
    ['two addresses without a comma', '198.51.100.1 192.0.2.7', PROXY],
    ['the client', '192.0.2.7', '192.0.2.7'],
    ['the client and its port', '192.0.2.7:51234', '192.0.2.7'],
    ['IPv6', '2001:DB8::7', '2001:db8::7'],
    ['IPv6 in brackets', '[2001:db8::7]', '2001:db8::7'],
    ['IPv6 and a port', '[2001:db8::7]:51234', '2001:db8::7'],
    ['IPv4 mapped into IPv6', '::ffff:192.0.2.7', '192.0.2.7'],
    ['an address that the client invented', '198.51.100.1, 192.0.2.7', '192.0.2.7'],
    ['a proxy that the client invented', '10.0.0.9, 192.0.2.7', '192.0.2.7'],
    ['an open quote that the client invented', '", 192.0.2.7', '192.0.2.7'],
    ['no white space', '198.51.100.1,192.0.2.7', '192.0.2.7'],
    ['a second proxy', '198.51.100.1, 192.0.2.7, 10.0.0.2', '192.0.2.7'],
    ['proxies of both versions', '192.0.2.7, 2001:db8:ffff::1, 10.0.0.2', '192.0.2.7'],
    ['a second proxy without a client', 'x, 10.0.0.2', '10.0.0.2'],
    ['proxies alone', '10.0.0.3, 10.0.0.2', '10.0.0.3'],
    ['more proxies than there are', `192.0.2.7${', 10.0.0.2'.repeat(17)}`, '10.0.0.2'],
    ['a long list of invented ones', `${'1.1.1.1,'.repeat(1_900)}192.0.2.7`, '192.0.2.7'],
  ])('with %s', (_, value, expected) => {
    const headers = value === undefined ? {} : { 'x-forwarded-for': value };
    expect(byForwardedFor.of(requestFrom(PROXY, headers))).toBe(expected);
    expect(byForwardedFor.of(requestFrom(`::ffff:${PROXY}`, headers))).toBe(expected);
  });

  test('changes nothing where the other header is configured', () => {
    const headers = { 'x-forwarded-for': '192.0.2.7' };
    expect(byForwarded.of(requestFrom(PROXY, headers))).toBe(PROXY);
  });
});

describe('Forwarded of a proxy', () => {
  test.each([
    ['an empty value', '', PROXY],
    ['no for', 'proto=https;by=10.0.0.1', PROXY],
    ['unknown', 'for=unknown', PROXY],
    ['a hidden name', 'for=_SEVKISEK', PROXY],
    ['a quoted hidden name', 'for="_gazonk"', PROXY],
    ['two clients in one element', 'for=198.51.100.1;for=192.0.2.7', PROXY],
    ['a bare address', '192.0.2.7', PROXY],
    ['IPv6 without brackets', 'for="2001:db8::7"', PROXY],
    ['a quote left open', 'for="192.0.2.7', PROXY],
    ['something behind the quotes', 'for="192.0.2.7"x', PROXY],
    ['white space inside', 'for = 192.0.2.7', PROXY],
    // RFC 7239 §4, §6
    ['the client', 'for=192.0.2.43', '192.0.2.43'],
    ['other pairs', 'for=192.0.2.60;proto=http;by=203.0.113.43', '192.0.2.60'],
    ['another order', 'proto=http;by=203.0.113.43;for=192.0.2.60', '192.0.2.60'],
    ['another case', 'For="[2001:db8:cafe::17]:4711"', '2001:db8:cafe::17'],
    ['a hidden port', 'for="192.0.2.7:_p1"', '192.0.2.7'],
    ['a port without quotes', 'for=192.0.2.7:51234', '192.0.2.7'],
    ['what needs no quotes in quotes', 'for="192.0.2.7"', '192.0.2.7'],
    ['what needs no escape escaped', String.raw`for="192.0.\2.7"`, '192.0.2.7'],
    ['a comma and a quote in another pair', String.raw`by="_a, \"";for=192.0.2.7`, '192.0.2.7'],
    ['a semicolon in another pair', 'by="a;for=198.51.100.1";for=192.0.2.7', '192.0.2.7'],
    ['an address that the client invented', 'for=198.51.100.1, for=192.0.2.7', '192.0.2.7'],
    ['an open quote that the client invented', 'for="x, for=192.0.2.7', '192.0.2.7'],
    ['one before quotes', 'for="x, for="[2001:db8::7]"', '2001:db8::7'],
    ['an open escape', String.raw`for="\, for="[2001:db8::7]"`, '2001:db8::7'],
    ['a second proxy', 'for=192.0.2.7, for=10.0.0.2;by=10.0.0.1', '192.0.2.7'],
    ['a second proxy that hides its peer', 'for=_hidden, for=10.0.0.2', '10.0.0.2'],
    ['proxies alone', 'for=10.0.0.3, for=10.0.0.2', '10.0.0.3'],
    ['backslashes without end', '\\'.repeat(16_000), PROXY],
    ['quotes without end', '"'.repeat(16_000), PROXY],
  ])('with %s', (_, value, expected) => {
    expect(byForwarded.of(requestFrom(PROXY, { forwarded: value }))).toBe(expected);
  });

  test('changes nothing where the other header is configured', () => {
    expect(byForwardedFor.of(requestFrom(PROXY, { forwarded: 'for=192.0.2.7' }))).toBe(PROXY);
  });
});

describe('the headers of other peers', () => {
  const PIECES = ['10.0.0.2', '192.0.2.7', '[2001:db8::7]', ':80', 'for=', '"', '\\', ', ', ';'];
  const pieces = fc.array(fc.constantFrom(...PIECES)).map((some) => some.join(''));
  const value = fc.oneof(fc.string(), pieces);
  const headers = fc.record({ 'x-forwarded-for': value, forwarded: value });

  test('change nothing', () => {
    const peers = fc.constantFrom('192.0.2.99', '2001:db8::99', '10.0.1.1', undefined);
    fc.assert(
      fc.property(peers, headers, (peer, sent) => {
        const bare = requestFrom(peer);
        for (const addresses of [byForwardedFor, byForwarded]) {
          expect(addresses.of(requestFrom(peer, sent))).toBe(addresses.peer(bare));
        }
      }),
    );
  });

  test('change nothing where no proxy is configured', () => {
    const addresses = clientAddressesWith([]);
    fc.assert(
      fc.property(fc.ipV4(), headers, (peer, sent) => {
        expect(addresses.of(requestFrom(peer, sent))).toBe(peer);
      }),
    );
  });

  test('change nothing behind a proxy that adds the peer it sees', () => {
    const additions = { 'x-forwarded-for': '192.0.2.7', forwarded: 'for="192.0.2.7:51234"' };
    fc.assert(
      fc.property(fc.constantFrom(...FORWARDING_HEADERS), headers, (header, sent) => {
        const addresses = clientAddressesWith(PROXIES, header);
        const both = `${sent[header]}, ${additions[header]}`;
        expect(addresses.of(requestFrom(PROXY, { [header]: both }))).toBe('192.0.2.7');
      }),
      { numRuns: 200 },
    );
  });
});
