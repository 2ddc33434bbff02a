// Owns the one spelling of an IP address, so that two ways to write it are never two addresses.
import { isIP, isIPv4, SocketAddress } from 'node:net';

const MAPPED = '::ffff:';

/**
 * IPv4 as it is; IPv6 in lower case and as short as it gets; IPv4 mapped into IPv6 as IPv4. Undefined for what is no
 * address, or one with a zone (`fe80::1%eth0`), which means something on one machine alone.
 *
 * @see RFC 5952
 */
export function canonicalAddress(written: string): string | undefined {
  const version = written.includes('%') ? 0 : isIP(written);
  if (version !== 6) return version === 4 ? written : undefined;
  const { address } = new SocketAddress({ address: written, family: 'ipv6' });
  const embedded = address.startsWith(MAPPED) ? address.slice(MAPPED.length) : '';
  return isIPv4(embedded) ? embedded : address;
}
