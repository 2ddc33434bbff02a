// Reads BER as LDAP restricts it: definite lengths, and no element beyond the end of the one around it. What
// elements mean is not known here.

/** A user in thousands of groups has that many values; nobody has more. */
const MOST_ELEMENTS = 10_000;

/** Where the content of an element begins and ends. */
export interface Extent {
  readonly start: number;
  readonly end: number;
}

/**
 * The extent that the header at `offset` announces, however many bytes there are; `undefined` while the
 * header itself is not whole.
 *
 * @throws Error for lengths that LDAP does not know
 * @see X.690 §8.1.3, RFC 4511 §5.1
 */
export function extentOf(bytes: Buffer, offset: number): Extent | undefined {
  const short = bytes[offset + 1];
  if (short === undefined) return undefined;
  if (short < 0x80) return { start: offset + 2, end: offset + 2 + short };
  const size = short - 0x80;
  if (size < 1 || size > 4) throw notLdap('a length that is none');
  const start = offset + 2 + size;
  return start > bytes.length
    ? undefined
    : { start, end: start + bytes.readUIntBE(offset + 2, size) };
}

/** What whoever speaks something else is told of in the log. */
export function notLdap(reason: string): Error {
  return new Error(`the server does not speak LDAP: ${reason}`);
}

/** Reads elements in their order. All that it throws is of {@link notLdap}. */
export class BerReader {
  private at = 0;

  /** @param budget how many elements may still be read, by this reader and all inside it */
  constructor(
    private readonly bytes: Buffer,
    private readonly budget = { elements: MOST_ELEMENTS },
  ) {}

  /** Of the element to be read next. */
  get tag(): number | undefined {
    return this.bytes[this.at];
  }

  /** The content of the next element, which must have this tag. */
  octets(tag: number): Buffer {
    if (this.tag !== tag) throw notLdap('an element that does not belong here');
    const { start, end } = extentOf(this.bytes, this.at) ?? { start: 0, end: Infinity };
    if (end > this.bytes.length) throw notLdap('an element that ends outside');
    this.budget.elements -= 1;
    if (this.budget.elements < 0) throw notLdap('more elements than anybody reads');
    this.at = end;
    return this.bytes.subarray(start, end);
  }

  /** A reader of what is inside the next element. */
  inside(tag: number): BerReader {
    return new BerReader(this.octets(tag), this.budget);
  }

  /** An integer, enumeration or boolean of at most four bytes. */
  integer(tag: number): number {
    const bytes = this.octets(tag);
    if (bytes.length < 1 || bytes.length > 4) throw notLdap('a number of no bytes, or of too many');
    return bytes.readIntBE(0, bytes.length);
  }

  /** Demands that nothing is left. */
  end(): void {
    if (this.tag !== undefined) throw notLdap('more than belongs here');
  }
}
