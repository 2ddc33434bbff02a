// Reads request bodies up to a size limit, and checks their declared type.
import type { IncomingMessage } from 'node:http';
import { RequestError } from '../errors/errors.js';

const FORM = 'application/x-www-form-urlencoded';
const JSON_TYPE = 'application/json';
const XML = ['text/xml', 'application/xml'];
const CHARSET = /^charset="?utf-?8"?$/i;
/** Longer values are not parsed. */
const MAX_CONTENT_TYPE = 256;

/**
 * Whether the request declares a form in UTF-8; false without a Content-Type.
 * @throws RequestError UNSUPPORTED_MEDIA_TYPE for another type or charset, or a content coding
 */
export function declaresForm(request: IncomingMessage): boolean {
  refuseContentCoding(request);
  const declared = request.headers['content-type'];
  if (declared === undefined) return false;
  if (declared === FORM || isForm(declared)) return true;
  throw new RequestError('UNSUPPORTED_MEDIA_TYPE', `Content-Type must be ${FORM} in UTF-8`);
}

/** @throws RequestError UNSUPPORTED_MEDIA_TYPE for a declared type other than XML in UTF-8, or a content coding */
export function refuseUnlessXml(request: IncomingMessage): void {
  refuseContentCoding(request);
  const declared = request.headers['content-type'];
  if (declared === undefined || isOfType(declared, XML)) return;
  throw new RequestError('UNSUPPORTED_MEDIA_TYPE', `Content-Type must be ${XML[0]} in UTF-8`);
}

/** Whether the request declares JSON in UTF-8. @throws RequestError UNSUPPORTED_MEDIA_TYPE for a content coding */
export function declaresJson(request: IncomingMessage): boolean {
  refuseContentCoding(request);
  return isOfType(request.headers['content-type'] ?? '', [JSON_TYPE]);
}

/** @throws RequestError UNSUPPORTED_MEDIA_TYPE for a compressed body */
export function refuseContentCoding({ headers }: IncomingMessage): void {
  const coding = headers['content-encoding'];
  if (coding !== undefined && coding.toLowerCase() !== 'identity') {
    throw new RequestError('UNSUPPORTED_MEDIA_TYPE', 'Content-Encoding is not supported');
  }
}

/** Whether a Content-Type is that of a form in UTF-8. */
export function isForm(declared: string): boolean {
  return isOfType(declared, [FORM]);
}

function isOfType(declared: string, types: readonly string[]): boolean {
  if (declared.length > MAX_CONTENT_TYPE) return false;
  const [type, ...parameters] = declared.split(';').map((part) => part.trim());
  return (
    types.includes(type?.toLowerCase() ?? '') &&
    parameters.every((parameter) => parameter === '' || CHARSET.test(parameter))
  );
}

/**
 * Reads the whole body.
 * @throws RequestError BODY_TOO_LARGE beyond `limit` bytes. The rest is read and dropped: closing the connection with
 *   unread data would reset it, and the caller would not get the answer.
 */
export function readBody(request: IncomingMessage, limit: number): Promise<Buffer> {
  const declared = Number(request.headers['content-length'] ?? 0);
  if (declared > limit) return Promise.reject(tooLarge(limit));
  // A stream that has ended emits no more events.
  if (request.readableEnded) return Promise.resolve(Buffer.alloc(0));
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    request.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length > limit) {
        chunks.length = 0;
        reject(tooLarge(limit));
      } else {
        chunks.push(chunk);
      }
    });
    request.on('end', () => {
      resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks));
    });
    request.on('error', () => {
      reject(new RequestError('MALFORMED_REQUEST', 'the request ended before its body did'));
    });
  });
}

function tooLarge(limit: number): RequestError {
  return new RequestError('BODY_TOO_LARGE', `the body is larger than ${limit} bytes`);
}
