// Owns what the address of a server must be like that gives settings, and takes credentials for them.
import { BlockList, isIP } from 'node:net';
import type { CoreSettings } from '@tessera/settings';

/** The mapped addresses of IPv4, too. */
const LOOPBACK_IPV6 = new BlockList();
LOOPBACK_IPV6.addAddress('::1', 'ipv6');
LOOPBACK_IPV6.addSubnet('127.0.0.0', 8, 'ipv4');

/**
 * What is wrong with such an address; undefined where nothing is. Reads on from its key, and does not quote it.
 *
 * @param profiles in `production` it must be https, except on this machine
 */
export function serverUrlFault(
  written: string,
  profiles: Pick<CoreSettings, 'isActive'>,
): string | undefined {
  const url = URL.parse(written);
  if (url === null || !/^https?:\/\//i.test(written)) return 'must be an http or https URL';
  // An empty query, fragment or user leaves no trace in the parsed URL.
  if (/[?#@\\\s]/.test(written)) return 'must have no query, fragment or user';
  const isInTheOpen = url.protocol === 'http:' && !isLoopback(url.hostname.replace(/^\[|\]$/g, ''));
  const isFault = isInTheOpen && profiles.isActive('production');
  return isFault ? 'must be https in profile production' : undefined;
}

/** An address, or a name that RFC 6761 §6.3 keeps for this machine. */
function isLoopback(host: string): boolean {
  switch (isIP(host)) {
    case 4:
      return host.startsWith('127.');
    case 6:
      return LOOPBACK_IPV6.check(host, 'ipv6');
    default:
      return /^(?:.+\.)?localhost$/i.test(host);
  }
}
