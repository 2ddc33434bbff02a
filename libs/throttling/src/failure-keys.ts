// The keys that failures are counted by, from normalised addresses and user names.
import { sha256 } from '@tessera/crypto';
import { networkOf } from '@tessera/runtime';

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

/** @param entryPoint each entry point has its own counters */
export function failureKeysOf(entryPoint: string, { address, name }: Subject): FailureKeys {
  const network = networkOf(address);
  return {
    address: sha256(JSON.stringify([entryPoint, network])),
    addressAndName: sha256(JSON.stringify([entryPoint, network, normalizeName(name)])),
  };
}

/**
 * One spelling for all names that some user directory treats as equal. Two users whose names differ only in these
 * details share a counter at one address.
 */
function normalizeName(name: string): string {
  const start = name.slice(0, MAX_NAME_LENGTH);
  return start.normalize('NFKC').toLowerCase().replaceAll(/\s+/g, ' ').trim();
}
