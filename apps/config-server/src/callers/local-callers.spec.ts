import type { IncomingMessage } from 'node:http';
import { describe, expect, test } from '@jest/globals';
import { AddressRanges, ClientAddresses } from '@tessera/server';
import type { Caller } from './callers.js';
import { LocalCallers } from './local-callers.js';

const HERE = '127.0.0.1';

function admit(headers: Record<string, string>, remoteAddress = HERE): Promise<Caller> {
  const request = { headers, socket: { remoteAddress } } as unknown as IncomingMessage;
  const nobody = { proxies: AddressRanges.parse([]), header: 'x-forwarded-for' } as const;
  return new LocalCallers(new ClientAddresses(nobody)).admit(request);
}

describe('without clients nobody is answered', () => {
  test.each<[string, Record<string, string>, string, string]>([
    ['on another machine', { host: 'localhost:8888' }, '192.0.2.1', 'another machine'],
    ['without an address', { host: 'localhost' }, '', 'another machine'],
    [
      'who calls it a name that only leads here',
      { host: 'rebound.example.org' },
      HERE,
      'another name',
    ],
    ['who calls it what begins as here', { host: 'localhost.example.org' }, HERE, 'another name'],
    ['who calls it what ends as here', { host: 'rebound.localhost' }, HERE, 'another name'],
    ['who calls it nothing', {}, HERE, 'another name than localhost'],
  ])('%s', async (_rule, headers, address, message) => {
    await expect(admit(headers, address)).rejects.toMatchObject({
      code: 'CALLER_NOT_ALLOWED',
      message: expect.stringContaining(message),
    });
  });

  test.each([
    ['x-forwarded-for', '192.0.2.1'],
    ['x-forwarded-for', '127.0.0.1'],
    ['x-forwarded-host', 'config.example.org'],
    ['x-forwarded-proto', ''],
    ['x-forwarded', 'for=192.0.2.1'],
    ['x-real-ip', '192.0.2.1'],
    ['forwarded', 'for=192.0.2.1'],
    ['via', '1.1 proxy'],
    ['x-client-ip', '192.0.2.1'],
    ['x-envoy-external-address', '192.0.2.1'],
    ['cf-connecting-ip', '192.0.2.1'],
    ['true-client-ip', '192.0.2.1'],
  ])('for whom a proxy speaks, in %s: %s, and the answer says what to set', async (name, value) => {
    const message = `no client is configured, so only programs of this machine are answered: the header ${name} says that a proxy passes this on for others; name the clients in config-server.clients`;
    await expect(admit({ host: 'localhost', [name]: value })).rejects.toMatchObject({ message });
  });

  test.each([
    ['origin', 'https://example.org'],
    ['origin', 'null'],
    ['origin', 'http://localhost:3000'],
    ['sec-fetch-site', 'cross-site'],
    ['sec-fetch-site', 'same-site'],
    ['sec-fetch-site', 'none, none'],
    ['sec-fetch-site', ''],
  ])('who is a page from elsewhere, as %s: %s tells', async (name, value) => {
    await expect(admit({ host: 'localhost:8888', [name]: value })).rejects.toMatchObject({
      message: expect.stringContaining('a page from elsewhere'),
    });
  });
});

describe('without clients is answered', () => {
  test.each<[string, Record<string, string>, string, string?]>([
    ['a program of this machine', { host: '127.0.0.1:8888' }, HERE],
    ['a program by name', { host: 'localhost' }, '::ffff:127.0.0.1', HERE],
    ['a program over IPv6', { host: '[::1]:8888' }, '::1'],
    ['its own page', { host: 'localhost:8888', origin: 'http://localhost:8888' }, HERE],
    ['an address typed into a browser', { host: 'localhost', 'sec-fetch-site': 'none' }, HERE],
    ['a page of its own', { host: 'localhost', 'sec-fetch-site': 'same-origin' }, HERE],
  ])('%s, which has no name', async (_rule, headers, peer, address = peer) => {
    await expect(admit(headers, peer)).resolves.toEqual({ name: undefined, address });
  });
});
