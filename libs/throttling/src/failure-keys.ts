// The keys that failures are counted by, from normalised addresses and user names.
import { isIPv6 } from 'node:net';
import { sha256 } from '@tessera/crypto';

/** The user name and client address of a login attempt. */
export interface Subject {
  /** Of the client; IPv4 or IPv6 as text. Any other text is used unchanged. */
  readonly address: string;
  /** As the user typed it. */
  readonly name: string;
}

/** SHA-256 in hexadecimal digits, so that the table reveals neither users nor addresses. */
export interface FailureKeys {
  readonly address: string;
  readonly addressAndName: string;
}

/** In characters; normalising a long text is slow. */
const MAX_NAME_LENGTH = 255;
const IPV6_GROUPS = 8;
const NETWORK_GROUPS = 4;

/** @param entryPoint each entry point has its own counters */
export function failureKeysOf(entryPoint: string, { address, name }: Subject): FailureKeys {
  const network = networkOf(address);
  return {
    address: sha256(JSON.stringify([entryPoint, network])),
    addressAndName: sha256(JSON.stringify([entryPoint, network, normalizeName(name)])),
  };
}

/**
 * The network that one client controls: the /64 of an IPv6 address, because one machine gets a whole /64. An IPv4
 * address is its own network, also when mapped to IPv6 (`::ffff:192.0.2.1`).
 */
export function networkOf(address: string): string {
  const [plain = ''] = address.split('%', 1);
  if (!isIPv6(plain)) return address;
  const groups = groupsOf(plain);
  const mapped = groups.slice(0, 6).join(':') === '0:0:0:0:0:ffff';
  return mapped
    ? groups.slice(6).flatMap(bytesOf).join('.')
    : `${groups.slice(0, NETWORK_GROUPS).join(':')}::/64`;
}

/** The eight groups without leading zeros. URL normalises every spelling of an IPv6 address. */
function groupsOf(address: string): readonly string[] {
  const [head = '', tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::');
  const [first, last] = [head, tail ?? ''].map((part) => part.split(':').filter(Boolean));
  const zeros = IPV6_GROUPS - (first?.length ?? 0) - (last?.length ?? 0);
  return [...(first ?? []), ...Array.from({ length: zeros }, () => '0'), ...(last ?? [])];
}

function bytesOf(group: string): readonly number[] {
  const value = Number.parseInt(group, 16);
  return [Math.floor(value / 256), value % 256];
}

/**
 * One spelling for all names that some user directory treats as equal. Two users whose names differ only in these
 * details share a counter at one address.
 */
function normalizeName(name: string): string {
  const start = name.slice(0, MAX_NAME_LENGTH);
  return start.normalize('NFKC').toLowerCase().replaceAll(/\s+/g, ' ').trim();
}
