// Owns which names and addresses mean this machine and no other.
import { BlockList, isIP } from 'node:net';

/** The mapped ones of IPv4, too. */
const LOOPBACK_IPV6 = new BlockList();
LOOPBACK_IPV6.addAddress('::1', 'ipv6');
LOOPBACK_IPV6.addSubnet('127.0.0.0', 8, 'ipv4');

/** Of an address without brackets, or of a name. Names below `localhost` are asked of DNS by many programs, so none counts. */
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
