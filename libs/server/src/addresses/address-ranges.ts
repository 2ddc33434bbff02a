// Sets of IP addresses from settings: single addresses and CIDRs.
import { BlockList, isIPv4, isIPv6 } from 'node:net';
import { ServerError } from '../errors/errors.js';
import { canonicalAddress } from './ip-address.js';

const ELEMENT = /^([^/]+)(?:\/(0|[1-9]\d{0,2}))?$/;
const BITS = { ipv4: 32, ipv6: 128 } as const;
/** Bits before the IPv4 address in an IPv4-mapped IPv6 address. */
const MAPPED_BITS = BITS.ipv6 - BITS.ipv4;

interface Range {
  readonly address: string;
  readonly prefix: number;
}

/** Why an element of a list is invalid. */
interface ElementViolation {
  readonly index: number;
  readonly reason: string;
}

class AddressRangesError extends ServerError {
  /** The message without any value: it names elements by their position in the list. */
  readonly rule: string;

  constructor(elements: readonly string[], violations: readonly ElementViolation[]) {
    const describe = (name: (index: number) => string): string =>
      violations.map(({ index, reason }) => `${name(index)} ${reason}`).join('; ');
    super(
      'ADDRESS_RANGES_INVALID',
      describe((index) => JSON.stringify(elements[index])),
    );
    this.rule = describe((index) => `element ${index + 1}`);
  }
}

/** A set of IPv4 and IPv6 addresses. IPv4-mapped IPv6 counts as IPv4, in ranges and in lookups. */
export class AddressRanges {
  /** One list for each version: a common list would match IPv4 addresses with `::/0`. */
  private readonly ipv4 = new BlockList();
  private readonly ipv6 = new BlockList();

  private readonly isEmpty: boolean;

  private constructor(ranges: readonly Range[]) {
    this.isEmpty = ranges.length === 0;
    for (const { address, prefix } of ranges) {
      if (isIPv4(address)) this.ipv4.addSubnet(address, prefix, 'ipv4');
      else this.ipv6.addSubnet(address, prefix, 'ipv6');
    }
  }

  /**
   * @param elements such as `10.0.0.0/8`, `192.0.2.7`, `2001:db8::/32`; an empty list contains no address
   * @throws AddressRangesError ADDRESS_RANGES_INVALID with every invalid element and the reason
   */
  static parse(elements: readonly string[]): AddressRanges {
    const ranges = elements.map(parseRange);
    const violations = ranges.flatMap((range, index) =>
      typeof range === 'string' ? [{ index, reason: range }] : [],
    );
    if (violations.length > 0) throw new AddressRangesError(elements, violations);
    return new AddressRanges(ranges.filter((range) => typeof range !== 'string'));
  }

  /** False for text that is not an address, and for an address with a zone. */
  contains(address: string): boolean {
    if (this.isEmpty) return false;
    const canonical = canonicalAddress(address);
    if (canonical === undefined) return false;
    return isIPv4(canonical)
      ? this.ipv4.check(canonical, 'ipv4')
      : this.ipv6.check(canonical, 'ipv6');
  }
}

/**
 * Violations of a setting that lists addresses: invalid elements, and a range that contains every address.
 *
 * @param danger of every address
 */
export function* addressViolations(
  key: string,
  elements: readonly string[],
  danger = 'any caller would be trusted',
): Iterable<{ readonly key: string; readonly message: string; readonly rule?: string }> {
  try {
    AddressRanges.parse(elements);
  } catch (error) {
    if (!(error instanceof AddressRangesError)) throw error;
    yield { key, message: error.message, rule: error.rule };
  }
  if (elements.some((element) => element.endsWith('/0'))) {
    yield { key, message: `must not contain every address: ${danger}` };
  }
}

/** The range, or the reason why the element is invalid. */
function parseRange(element: string): Range | string {
  const [, text = '', digits] = ELEMENT.exec(element) ?? [];
  if (text.includes('%')) return 'has a zone, which address ranges do not support';
  const address = canonicalAddress(text);
  if (address === undefined) return 'is no IP address or CIDR';
  const bits = isIPv6(text) ? BITS.ipv6 : BITS.ipv4;
  const prefix = digits === undefined ? bits : Number(digits);
  if (prefix > bits) return `has a prefix longer than ${bits}`;
  const isMapped = isIPv6(text) && isIPv4(address);
  if (!isMapped) return { address, prefix };
  // A shorter prefix is an IPv6 range that contains all of IPv4 and more.
  if (prefix < MAPPED_BITS) return 'is IPv4 mapped into IPv6: write the range in IPv4';
  return { address, prefix: prefix - MAPPED_BITS };
}
