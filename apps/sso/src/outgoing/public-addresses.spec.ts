import { describe, expect, test } from '@jest/globals';
import { isPublicAddress } from './public-addresses.js';

describe('a public address', () => {
  test.each(['1.1.1.1', '9.255.255.255', '11.0.0.0', '172.15.0.1', '172.32.0.1', '192.167.1.1'])(
    '%s',
    (address) => expect(isPublicAddress(address)).toBe(true),
  );

  test.each(['2606:4700::1111', '2a00:1450::1', '2001:4860:4860::8888', '::ffff:1.1.1.1'])(
    '%s',
    (address) => expect(isPublicAddress(address)).toBe(true),
  );
});

describe('no public address', () => {
  test.each([
    ['this network', '0.0.0.0', '0.1.2.3'],
    ['private', '10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.1.1'],
    ['loopback', '127.0.0.1', '127.255.255.255', '::1'],
    ['link-local, metadata of clouds', '169.254.169.254', 'fe80::1', 'febf::1'],
    ['shared by carriers', '100.64.0.1', '100.127.255.255'],
    ['of the IETF', '192.0.0.1', '192.0.0.170'],
    ['documentation', '192.0.2.1', '198.51.100.1', '203.0.113.1', '2001:db8::1', '3fff::1'],
    ['benchmarks', '198.18.0.1', '198.19.255.255'],
    ['multicast', '224.0.0.1', '239.255.255.255', 'ff02::1'],
    ['reserved', '240.0.0.1', '255.255.255.255'],
    ['unspecified', '::'],
    ['unique local', 'fc00::1', 'fd00:ec2::254'],
    ['site-local', 'fec0::1'],
    ['IPv4-mapped', '::ffff:127.0.0.1', '::ffff:7f00:1', '::ffff:10.0.0.1', '::ffff:a9fe:a9fe'],
    ['IPv4-compatible', '::127.0.0.1'],
    ['NAT64', '64:ff9b::7f00:1', '64:ff9b:1::1'],
    ['6to4 and Teredo, which contain IPv4', '2002:7f00:1::', '2001::1'],
    ['with a zone', 'fe80::1%lo', '2606:4700::1111%eth0'],
    ['no address', '', 'localhost', '1.1.1', '0x7f.0.0.1', '1.1.1.1:80'],
  ])('%s', (_, ...addresses) => {
    expect(addresses.filter(isPublicAddress)).toEqual([]);
  });
});
