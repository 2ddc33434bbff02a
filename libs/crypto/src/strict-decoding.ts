// Strict Base64 and hexadecimal decoding: Node's decoders skip what they cannot read.

const BASE64 = /^([A-Za-z0-9+/]+)={0,2}$/;

/** Decodes Base64 with or without padding. `undefined` for invalid text or non-zero unused bits. */
export function bytesOfBase64(text: string): Buffer | undefined {
  const digits = BASE64.exec(text)?.[1];
  if (digits === undefined) {
    return undefined;
  }
  const bytes = Buffer.from(digits, 'base64');
  return bytes.toString('base64').replaceAll('=', '') === digits ? bytes : undefined;
}

const HEX = /^(?:[0-9A-Fa-f]{2})*$/;

/** Decodes pairs of digits in either case. `undefined` for any other text. */
export function bytesOfHex(text: string): Buffer | undefined {
  return HEX.test(text) ? Buffer.from(text, 'hex') : undefined;
}
