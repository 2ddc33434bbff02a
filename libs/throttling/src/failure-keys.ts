// Owns what failures are counted by: which addresses and which spellings of a name are the same to a counter.
import { isIPv6 } from 'node:net';
import { sha256 } from '@tessera/crypto';

/** Who tries to log in, from where. */
export interface Subject {
  /** Of the client; IPv4 or IPv6 as text. Anything else counts as it stands. */
  readonly address: string;
  /** As it was typed. */
  readonly name: string;
}

/** SHA-256 in hexadecimal digits, so that the table of failures is no list of users and their addresses. */
export interface FailureKeys {
  readonly address: string;
  readonly addressAndName: string;
}

/** Normalising a long text takes long; nobody has a longer name. */
const LONGEST_NAME = 255;
const IPV6_GROUPS = 8;
const GROUPS_OF_A_SITE = 4;

/** @param entrance counters of one entrance are no counters of another */
export function failureKeysOf(entrance: string, { address, name }: Subject): FailureKeys {
  const network = networkOf(address);
  return {
    address: sha256(JSON.stringify([entrance, network])),
    addressAndName: sha256(JSON.stringify([entrance, network, alike(name)])),
  };
}

/**
 * What one client can choose its address from: of IPv6 a /64, which is what a single machine gets. IPv4 stands for
 * itself, also inside IPv6 (`::ffff:192.0.2.1`).
 */
export function networkOf(address: string): string {
  const [plain = ''] = address.split('%', 1);
  if (!isIPv6(plain)) return address;
  const groups = groupsOf(plain);
  const mapped = groups.slice(0, 6).join(':') === '0:0:0:0:0:ffff';
  return mapped
    ? groups.slice(6).flatMap(bytesOf).join('.')
    : `${groups.slice(0, GROUPS_OF_A_SITE).join(':')}::/64`;
}

/** The eight groups, each without leading zeros; URLs know every way to write an IPv6 address. */
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
 * One spelling for all that some directory of users may take for the same name. Where two users differ in less, they
 * share a counter, which costs them nothing but each other's failures from one address.
 */
function alike(name: string): string {
  const start = name.slice(0, LONGEST_NAME);
  return start.normalize('NFKC').toLowerCase().replaceAll(/\s+/g, ' ').trim();
}
