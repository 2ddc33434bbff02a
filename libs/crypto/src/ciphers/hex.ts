// Hexadecimal digits as bytes, strictly: Node's own decoder stops in silence at what it cannot read.

const HEX = /^(?:[0-9A-Fa-f]{2})*$/;

/** The bytes of pairs of digits, of either case; `undefined` where anything else is among them. */
export function bytesOfHex(text: string): Buffer | undefined {
  return HEX.test(text) ? Buffer.from(text, 'hex') : undefined;
}
