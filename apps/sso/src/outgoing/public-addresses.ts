// IP addresses of the public internet.
import { isIPv4 } from 'node:net';
import { AddressRanges, canonicalAddress } from '@tessera/server';

/** Addresses that are not globally reachable. @see https://www.iana.org/assignments/iana-ipv4-special-registry */
const SPECIAL_IPV4 = AddressRanges.parse([
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  // Multicast, reserved and broadcast.
  '224.0.0.0/3',
]);

/** The part of IPv6 from which public addresses are assigned. The prefix of NAT64, `64:ff9b::/96`, lies outside. */
const GLOBAL_IPV6 = AddressRanges.parse(['2000::/3']);

/**
 * Addresses of that part that are not globally reachable. Teredo and 6to4 contain IPv4 addresses.
 * @see https://www.iana.org/assignments/iana-ipv6-special-registry
 */
const SPECIAL_IPV6 = AddressRanges.parse(['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20']);

/** Whether an address is public. An IPv4-mapped IPv6 address counts as IPv4. False for other text. */
export function isPublicAddress(text: string): boolean {
  const address = canonicalAddress(text);
  if (address === undefined) return false;
  if (isIPv4(address)) return !SPECIAL_IPV4.contains(address);
  return GLOBAL_IPV6.contains(address) && !SPECIAL_IPV6.contains(address);
}
