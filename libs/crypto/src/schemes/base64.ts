// Base64 as hashes are written in: with or without padding, and each value in one spelling alone.

const BASE64 = /^([A-Za-z0-9+/]+)={0,2}$/;

/** The bytes of a text in Base64; `undefined` where it is none, or has bits nobody would read. */
export function bytesOfBase64(text: string): Buffer | undefined {
  const digits = BASE64.exec(text)?.[1];
  if (digits === undefined) {
    return undefined;
  }
  const bytes = Buffer.from(digits, 'base64');
  return bytes.toString('base64').replaceAll('=', '') === digits ? bytes : undefined;
}
