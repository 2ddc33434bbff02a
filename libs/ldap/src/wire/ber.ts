// Reads BER as LDAP restricts it: definite lengths, and no element longer than its parent.

/** Enough for a user in thousands of groups. */
const MAX_ELEMENTS = 10_000;

/** The start and end of an element's content. */
export interface Extent {
  readonly start: number;
  readonly end: number;
}

/**
 * The extent in the header at `offset`, which may exceed the bytes; `undefined` while the header is
 * incomplete.
 *
 * @throws Error for lengths that LDAP does not allow
 * @see X.690 §8.1.3, RFC 4511 §5.1
 */
export function extentOf(bytes: Buffer, offset: number): Extent | undefined {
  const short = bytes[offset + 1];
  if (short === undefined) return undefined;
  if (short < 0x80) return { start: offset + 2, end: offset + 2 + short };
  const size = short - 0x80;
  if (size < 1 || size > 4) throw notLdap('an invalid length');
  const start = offset + 2 + size;
  return start > bytes.length
    ? undefined
    : { start, end: start + bytes.readUIntBE(offset + 2, size) };
}

export function notLdap(reason: string): Error {
  return new Error(`the server does not speak LDAP: ${reason}`);
}

/** Reads elements in order. All errors are from {@link notLdap}. */
export class BerReader {
  private at = 0;

  /** @param budget remaining number of elements, shared with readers of nested elements */
  constructor(
    private readonly bytes: Buffer,
    private readonly budget = { elements: MAX_ELEMENTS },
  ) {}

  /** The tag of the next element. */
  get tag(): number | undefined {
    return this.bytes[this.at];
  }

  /** The content of the next element, which must have this tag. */
  octets(tag: number): Buffer {
    if (this.tag !== tag) throw notLdap('an unexpected element');
    const { start, end } = extentOf(this.bytes, this.at) ?? { start: 0, end: Infinity };
    if (end > this.bytes.length) throw notLdap('an element that is longer than its parent');
    this.budget.elements -= 1;
    if (this.budget.elements < 0) throw notLdap('too many elements');
    this.at = end;
    return this.bytes.subarray(start, end);
  }

  /** A reader for the content of the next element. */
  inside(tag: number): BerReader {
    return new BerReader(this.octets(tag), this.budget);
  }

  /** An integer, enumeration or boolean of at most four bytes. */
  integer(tag: number): number {
    const bytes = this.octets(tag);
    if (bytes.length < 1 || bytes.length > 4) throw notLdap('a number of an invalid length');
    return bytes.readIntBE(0, bytes.length);
  }

  /** Requires that no element remains. */
  end(): void {
    if (this.tag !== undefined) throw notLdap('unexpected extra elements');
  }
}
