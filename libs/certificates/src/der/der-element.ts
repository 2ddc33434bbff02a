// A strict reader of the structure of DER: elements, and the fields of a SEQUENCE.
import { unreadable } from '../certificate-error.js';

/** Tags of the elements that certificates and revocation lists are made of. */
export const TAG = {
  boolean: 0x01,
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  null: 0x05,
  objectIdentifier: 0x06,
  utf8String: 0x0c,
  numericString: 0x12,
  printableString: 0x13,
  teletexString: 0x14,
  ia5String: 0x16,
  utcTime: 0x17,
  generalizedTime: 0x18,
  visibleString: 0x1a,
  universalString: 0x1c,
  bmpString: 0x1e,
  sequence: 0x30,
  set: 0x31,
} as const;

const CONSTRUCTED = 0x20;
const CONTEXT = 0x80;

/** The tag `[number]` of a constructed field. */
export function constructedContext(number: number): number {
  return CONTEXT | CONSTRUCTED | number;
}

/** The tag `[number]` of a primitive field. */
export function primitiveContext(number: number): number {
  return CONTEXT | number;
}

/** One element: tag and content. Methods throw CertificateError CERTIFICATE_UNREADABLE. */
export class DerElement {
  private constructor(
    private readonly bytes: Buffer<ArrayBuffer>,
    private readonly start: number,
    private readonly contentStart: number,
    private readonly end: number,
  ) {}

  /** Reads exactly one element, without trailing bytes. */
  static read(bytes: Uint8Array): DerElement {
    const buffer = Buffer.from(bytes);
    const element = DerElement.at(buffer, 0, buffer.length);
    if (element.end !== buffer.length) throw unreadable('bytes follow the end of the DER element');
    return element;
  }

  private static at(bytes: Buffer<ArrayBuffer>, start: number, limit: number): DerElement {
    const contentStart = start + 2 + lengthBytes(bytes, start + 1, limit);
    if (contentStart > limit) throw unreadable('the DER is cut off');
    const end = contentStart + lengthAt(bytes, start + 1, contentStart);
    if (end > limit) throw unreadable('the DER is cut off');
    return new DerElement(bytes, start, contentStart, end);
  }

  get tag(): number {
    return this.bytes[this.start] ?? 0;
  }

  get isConstructed(): boolean {
    return (this.tag & CONSTRUCTED) !== 0;
  }

  get content(): Buffer<ArrayBuffer> {
    return this.bytes.subarray(this.contentStart, this.end);
  }

  /** The content in hex. */
  get hex(): string {
    return this.bytes.toString('hex', this.contentStart, this.end);
  }

  /** Tag, length and content. */
  get encoding(): Buffer<ArrayBuffer> {
    return this.bytes.subarray(this.start, this.end);
  }

  children(): readonly DerElement[] {
    if (!this.isConstructed) throw unreadable('a DER element holds no others');
    const children: DerElement[] = [];
    for (let start = this.contentStart; start < this.end;) {
      const child = DerElement.at(this.bytes, start, this.end);
      children.push(child);
      start = child.end;
    }
    return children;
  }

  /** The only child. */
  onlyChild(): DerElement {
    const [child, ...others] = this.children();
    if (child === undefined || others.length > 0) throw unreadable('one DER element is expected');
    return child;
  }

  /** Returns this element if it has the tag. */
  expect(tag: number): this {
    if (this.tag !== tag) throw unreadable('a DER element has another type than expected');
    return this;
  }
}

/** The number of bytes after the first of a length: 0 to 3, enough for 16 MiB. */
function lengthBytes(bytes: Buffer, place: number, limit: number): number {
  const first = place < limit ? bytes[place] : undefined;
  if (first === undefined) throw unreadable('the DER is cut off');
  if (first < 0x80) return 0;
  const count = first & 0x7f;
  if (count === 0 || count > 3) throw unreadable('a length is indefinite or too great for DER');
  return count;
}

function lengthAt(bytes: Buffer, place: number, end: number): number {
  if (end === place + 1) return bytes[place] ?? 0;
  const length = bytes.readUIntBE(place + 1, end - place - 1);
  const isShortest = length >= 0x80 && bytes[place + 1] !== 0;
  if (!isShortest) throw unreadable('a length is not written in the shortest form');
  return length;
}

/** Reads the fields of a SEQUENCE in order. Throws CertificateError CERTIFICATE_UNREADABLE. */
export class DerFields {
  private readonly fields: readonly DerElement[];
  private place = 0;

  constructor(sequence: DerElement, tag: number = TAG.sequence) {
    this.fields = sequence.expect(tag).children();
  }

  /** The next field, which must exist and have one of these tags. */
  required(...tags: readonly number[]): DerElement {
    const field = this.optional(...tags);
    if (field === undefined) throw unreadable('a field is missing or has another type');
    return field;
  }

  /** The next field, if it has one of these tags. */
  optional(...tags: readonly number[]): DerElement | undefined {
    const field = this.fields[this.place];
    if (field === undefined || !tags.includes(field.tag)) return undefined;
    this.place += 1;
    return field;
  }

  /** The only remaining field, of any type. */
  last(): DerElement {
    const field = this.fields[this.place];
    if (field === undefined) throw unreadable('a field is missing');
    this.place += 1;
    this.end();
    return field;
  }

  /** Requires that no field remains. */
  end(): void {
    if (this.place < this.fields.length) {
      throw unreadable('there are more fields than there may be');
    }
  }
}
