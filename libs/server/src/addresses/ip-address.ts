// IP addresses in canonical form, and loopback addresses.
import { BlockList, isIP, isIPv4, SocketAddress } from 'node:net';

const MAPPED = '::ffff:';

/** Contains the IPv4-mapped loopback addresses, too. */
const LOOPBACK_IPV6 = new BlockList();
LOOPBACK_IPV6.addAddress('::1', 'ipv6');
LOOPBACK_IPV6.addSubnet('127.0.0.0', 8, 'ipv4');

/**
 * The one spelling of an address: IPv6 in lower case and shortest form, IPv4-mapped IPv6 as IPv4. Undefined for any other
 * text, and for an address with a zone (`fe80::1%eth0`), which is valid on one machine only.
 *
 * @see RFC 5952
 */
export function canonicalAddress(text: string): string | undefined {
  const version = text.includes('%') ? 0 : isIP(text);
  if (version !== 6) return version === 4 ? text : undefined;
  const { address } = new SocketAddress({ address: text, family: 'ipv6' });
  const embedded = address.startsWith(MAPPED) ? address.slice(MAPPED.length) : '';
  return isIPv4(embedded) ? embedded : address;
}

/**
 * Whether an address without brackets, or a name, is this machine's loopback. Names below `localhost` are not: many
 * programs resolve them by DNS.
 */
export function isLoopback(host: string): boolean {
  switch (isIP(host)) {
    case 4:
      return host.startsWith('127.');
    case 6:
      return LOOPBACK_IPV6.check(host, 'ipv6');
    default:
      return host.toLowerCase() === 'localhost';
  }
}
