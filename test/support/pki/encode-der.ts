// Encodes DER that the certificate library of the tests cannot produce.

/** An element with a tag and its concatenated contents. */
export function der(
  tag: number,
  ...contents: readonly (Uint8Array | string)[]
): Buffer<ArrayBuffer> {
  const content = Buffer.concat(contents.map((part) => Buffer.from(part)));
  const { length } = content;
  if (length < 0x80) return Buffer.concat([Buffer.of(tag, length), content]);
  const size = Math.ceil(length.toString(16).length / 2);
  const header = Buffer.alloc(2 + size);
  header.writeUInt8(tag, 0);
  header.writeUInt8(0x80 | size, 1);
  header.writeUIntBE(length, 2, size);
  return Buffer.concat([header, content]);
}

/** Value of the name constraints extension. @see RFC 5280 §4.2.1.10 */
export function nameConstraints(names: {
  readonly permitted?: readonly Uint8Array[];
  readonly excluded?: readonly Uint8Array[];
}): Buffer<ArrayBuffer> {
  const trees = (tag: number, bases: readonly Uint8Array[] | undefined): Buffer =>
    bases === undefined ? Buffer.alloc(0) : der(tag, ...bases.map((base) => der(0x30, base)));
  return der(0x30, trees(0xa0, names.permitted), trees(0xa1, names.excluded));
}

/** General names by form. @see RFC 5280 §4.2.1.6 */
export const generalName = {
  email: (text: string) => der(0x81, text),
  dns: (text: string) => der(0x82, text),
  uri: (text: string) => der(0x86, text),
  ip: (...bytes: readonly number[]) => der(0x87, Buffer.from(bytes)),
  /** @param name the DER of a distinguished name */
  directory: (name: Uint8Array) => der(0xa4, name),
  /** An `otherName` with an unknown type. */
  other: (text: string) => der(0xa0, der(0x06, Buffer.of(0x2a, 0x03)), der(0xa0, der(0x0c, text))),
} as const;
