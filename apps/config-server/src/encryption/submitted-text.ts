// The text in the body of a request to encrypt or decrypt, read from its bytes.
import type { IncomingMessage } from 'node:http';
import { isForm, readBody, refuseContentCoding, RequestError } from '@tessera/server';

/** In bytes. */
const MAX_BODY_SIZE = 1024 * 1024;

const MEDIA_TYPE = /^[!#$%&'*+.^_`|~\w-]+\/[!#$%&'*+.^_`|~\w-]+\s*(?:;.*)?$/;
const [EQUALS, AMPERSAND, PLUS, SPACE, PERCENT] = [...Buffer.from('=&+ %')] as [
  number,
  number,
  number,
  number,
  number,
];

/**
 * The submitted text, in bytes.
 *
 * @throws RequestError UNSUPPORTED_MEDIA_TYPE, BODY_TOO_LARGE, MALFORMED_REQUEST (an empty body, or an invalid encoding of a form)
 */
export async function readSubmittedText(
  request: IncomingMessage,
): Promise<{ readonly text: Buffer; readonly wasForm: boolean }> {
  refuseContentCoding(request);
  const declared = request.headers['content-type'];
  if (declared !== undefined && !MEDIA_TYPE.test(declared)) {
    throw new RequestError('UNSUPPORTED_MEDIA_TYPE', 'Content-Type is not well formed');
  }
  const body = await readBody(request, MAX_BODY_SIZE);
  const wasForm = declared !== undefined && isForm(declared);
  const text = wasForm ? textOfForm(body) : body;
  if (text.length === 0) throw new RequestError('MALFORMED_REQUEST', 'the body is empty');
  return { text, wasForm };
}

/**
 * The text in a form without names: `curl -d` declares every body as a form. Some clients add a `=` before or after a
 * text without a name; it is removed. A body that reads as pairs is taken whole.
 *
 * @see docs/config-server.md, "Special characters"
 */
export function textOfForm(body: Buffer): Buffer {
  return decode(withoutAddedEquals(body));
}

function withoutAddedEquals(body: Buffer): Buffer {
  if (body.includes(AMPERSAND)) return body;
  if (body[0] === EQUALS) return body.subarray(1);
  const isAdded = body.indexOf(EQUALS) === body.length - 1;
  return isAdded ? body.subarray(0, -1) : body;
}

/** Undoes percent-encoding and `+` once; the result is bytes of any charset. */
function decode(encoded: Buffer): Buffer {
  const decoded = Buffer.allocUnsafe(encoded.length);
  let length = 0;
  for (let at = 0; at < encoded.length; at += 1) {
    let byte = encoded[at] ?? 0;
    if (byte === PLUS) byte = SPACE;
    if (byte === PERCENT) {
      byte = octetAt(encoded, at + 1);
      at += 2;
    }
    decoded[length] = byte;
    length += 1;
  }
  return decoded.subarray(0, length);
}

function octetAt(encoded: Buffer, at: number): number {
  const digits = encoded.toString('latin1', at, at + 2);
  if (/^[0-9A-Fa-f]{2}$/.test(digits)) return Number.parseInt(digits, 16);
  const message = 'a form needs %25 for each %; send text/plain for text as it is';
  throw new RequestError('MALFORMED_REQUEST', message);
}
