// Owns sets of IP addresses as operators write them: single addresses and CIDRs. What being in one allows is not decided here.
import { BlockList, isIPv4, isIPv6 } from 'node:net';
import { ServerError } from '../server-error.js';
import { canonicalAddress } from './address.js';

const ELEMENT = /^([^/]+)(?:\/(0|[1-9]\d{0,2}))?$/;
const BITS = { ipv4: 32, ipv6: 128 } as const;
/** Bits before the IPv4 address in an IPv6 address that it is mapped into. */
const MAPPED_BITS = BITS.ipv6 - BITS.ipv4;

interface Range {
  readonly address: string;
  readonly prefix: number;
}

/** What is wrong with one element of a list. */
interface ElementFault {
  readonly index: number;
  readonly reason: string;
}

export class AddressRangesError extends ServerError {
  /** The message with the places of the elements in the list instead of the elements. */
  readonly rule: string;

  constructor(elements: readonly string[], faults: readonly ElementFault[]) {
    const describe = (name: (index: number) => string): string =>
      faults.map(({ index, reason }) => `${name(index)} ${reason}`).join('; ');
    super(
      'ADDRESS_RANGES_INVALID',
      describe((index) => JSON.stringify(elements[index])),
    );
    this.rule = describe((index) => `element ${index + 1}`);
  }
}

/** A set of addresses of either version; IPv4 mapped into IPv6 is IPv4, in ranges and in what is looked up. */
export class AddressRanges {
  /** One for each version: a list of both takes IPv4 addresses for part of `::/0`. */
  private readonly ipv4 = new BlockList();
  private readonly ipv6 = new BlockList();

  private constructor(ranges: readonly Range[]) {
    for (const { address, prefix } of ranges) {
      if (isIPv4(address)) this.ipv4.addSubnet(address, prefix, 'ipv4');
      else this.ipv6.addSubnet(address, prefix, 'ipv6');
    }
  }

  /**
   * @param elements such as `10.0.0.0/8`, `192.0.2.7`, `2001:db8::/32`; none contain nobody
   * @throws AddressRangesError ADDRESS_RANGES_INVALID naming every element that is neither address nor CIDR, and why
   */
  static parse(elements: readonly string[]): AddressRanges {
    const ranges = elements.map(rangeOf);
    const faults = ranges.flatMap((range, index) =>
      typeof range === 'string' ? [{ index, reason: range }] : [],
    );
    if (faults.length > 0) throw new AddressRangesError(elements, faults);
    return new AddressRanges(ranges.filter((range) => typeof range !== 'string'));
  }

  /** False for what is no address, or one with a zone. */
  contains(address: string): boolean {
    const canonical = canonicalAddress(address);
    if (canonical === undefined) return false;
    return isIPv4(canonical)
      ? this.ipv4.check(canonical, 'ipv4')
      : this.ipv6.check(canonical, 'ipv6');
  }
}

/** The range, or what is wrong with it. */
function rangeOf(element: string): Range | string {
  const [, written = '', digits] = ELEMENT.exec(element) ?? [];
  if (written.includes('%')) return 'has a zone, which ranges of addresses have not';
  const address = canonicalAddress(written);
  if (address === undefined) return 'is no IP address or CIDR';
  const bits = isIPv6(written) ? BITS.ipv6 : BITS.ipv4;
  const prefix = digits === undefined ? bits : Number(digits);
  if (prefix > bits) return `has a prefix longer than ${bits}`;
  const isMapped = isIPv6(written) && isIPv4(address);
  if (!isMapped) return { address, prefix };
  // Shorter, it would be part of IPv6 that holds all of IPv4 and more.
  if (prefix < MAPPED_BITS) return 'is IPv4 mapped into IPv6: write the range in IPv4';
  return { address, prefix: prefix - MAPPED_BITS };
}
