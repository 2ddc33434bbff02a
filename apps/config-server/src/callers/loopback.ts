// Owns which names and addresses mean this machine and no other.
import { BlockList, isIP } from 'node:net';

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4');
LOOPBACK.addAddress('::1', 'ipv6');

/** Of an address, or of a name that RFC 6761 §6.3 keeps for this machine. */
export function isLoopback(host: string): boolean {
  const family = isIP(host);
  if (family === 0) return /^(?:.+\.)?localhost$/i.test(host);
  return LOOPBACK.check(host, family === 6 ? 'ipv6' : 'ipv4');
}
