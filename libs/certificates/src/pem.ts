// Reads DER from PEM or base64.
import { unreadable } from './certificate-error.js';
import { MAX_CERTIFICATE_BYTES } from './certificate.js';
import { checkDer } from './der/check-der.js';
import { DerElement, TAG } from './der/der-element.js';

const BLOCK = /-----BEGIN ([A-Z0-9 ]+)-----([^-]*)-----END \1-----/g;
const BOUNDARY = /-----(?:BEGIN|END)[^\r\n]*/;
const NON_WHITE_SPACE = /[^ \t\r\n]/;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/**
 * The DER of exactly one certificate in PEM or bare base64. White space is ignored.
 *
 * @throws CertificateError CERTIFICATE_UNREADABLE for anything else, such as a second certificate, another
 *   PEM label, more than 16 KiB, or invalid DER. The message quotes nothing of the text
 */
export function readCertificate(text: string): Uint8Array {
  // Base64 has four characters for three bytes. The rest is for line ends and PEM boundaries.
  if (text.length > MAX_CERTIFICATE_BYTES * 2) throw unreadable('the certificate is too large');
  const body = onlyBody(text);
  try {
    return readBody(body);
  } catch (error) {
    if (hasSpacesForPluses(body)) {
      throw unreadable('there are blanks where + should be: percent-encode it', error);
    }
    throw error;
  }
}

/** The body of the PEM block, or the whole text without one. */
function onlyBody(text: string): string {
  const [block, ...others] = text.matchAll(BLOCK);
  if (others.length > 0) throw unreadable('there is more than one PEM block');
  const [whole = '', label, body = text] = block ?? [];
  const around = text.replace(whole, '');
  if (BOUNDARY.test(around)) throw unreadable('a PEM block is not whole');
  if (label !== undefined && label !== 'CERTIFICATE') {
    throw unreadable('the PEM block is something else than a CERTIFICATE');
  }
  if (label !== undefined && NON_WHITE_SPACE.test(around)) {
    throw unreadable('there is text around the PEM block');
  }
  if (!NON_WHITE_SPACE.test(body)) throw unreadable('there is nothing');
  return body;
}

function readBody(body: string): Uint8Array {
  const der = decodeBase64(body);
  if (der.length > MAX_CERTIFICATE_BYTES) throw unreadable('the certificate is too large');
  checkDer(DerElement.read(der).expect(TAG.sequence));
  return der;
}

/** A form without percent-encoding arrives with a space for each `+`. */
function hasSpacesForPluses(body: string): boolean {
  if (!body.includes(' ')) return false;
  try {
    readBody(body.replaceAll(' ', '+'));
    return true;
  } catch {
    return false;
  }
}

/**
 * The DER of every block of a PEM file. Text between blocks is a comment.
 *
 * @param label of all blocks, such as `CERTIFICATE`
 * @throws CertificateError CERTIFICATE_UNREADABLE for another label or a truncated block
 */
export function readPemBlocks(text: string, label: string): readonly Uint8Array[] {
  const blocks = Array.from(text.matchAll(BLOCK), ([, found = '', body = '']) => {
    if (found !== label) throw unreadable(`there is a ${found} where each should be a ${label}`);
    return decodeBase64(body);
  });
  if (BOUNDARY.test(text.replaceAll(BLOCK, ''))) throw unreadable('a PEM block is not whole');
  return blocks;
}

/** Decodes strictly: skips only white space, and accepts only the canonical encoding. */
function decodeBase64(text: string): Uint8Array {
  const compact = text.replaceAll(/[ \t\r\n]/g, '');
  const bytes = Buffer.from(compact, 'base64');
  if (!BASE64.test(compact) || bytes.toString('base64') !== compact) {
    throw unreadable('there is neither PEM of a certificate nor base64');
  }
  return bytes;
}
