// Takes DER out of PEM armour or base64. What the DER says is read elsewhere.
import { unreadable } from './certificate-error.js';
import { MOST_BYTES } from './certificate.js';
import { checkDer } from './der/check-der.js';
import { DerElement, TAG } from './der/der-element.js';

const BLOCK = /-----BEGIN ([A-Z0-9 ]+)-----([^-]*)-----END \1-----/g;
const ANY_MARK = /-----(?:BEGIN|END)[^\r\n]*/;
/** Anything but white space. */
const INK = /[^ \t\r\n]/;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/**
 * The DER of exactly one certificate, given in PEM or as bare base64; white space does not count.
 *
 * @throws CertificateError CERTIFICATE_UNREADABLE: anything else, such as a second certificate,
 *   another armour, more than 16 KiB, or bytes that are no DER. The message says what is wrong, and
 *   quotes nothing
 */
export function readCertificate(text: string): Uint8Array {
  // Base64 makes four characters of three bytes; the rest is room for line ends and armour.
  if (text.length > MOST_BYTES * 2) throw unreadable('the certificate is too large');
  const body = onlyBody(text);
  try {
    return readBody(body);
  } catch (error) {
    if (hasLostItsPluses(body)) {
      throw unreadable('there are blanks where + should be: percent-encode it', error);
    }
    throw error;
  }
}

/** What the armour holds, or all of a text without any. */
function onlyBody(text: string): string {
  const [block, ...others] = text.matchAll(BLOCK);
  if (others.length > 0) throw unreadable('there is more than one PEM block');
  const [whole = '', label, body = text] = block ?? [];
  const around = text.replace(whole, '');
  if (ANY_MARK.test(around)) throw unreadable('a PEM block is not whole');
  if (label !== undefined && label !== 'CERTIFICATE') {
    throw unreadable('the PEM block is something else than a CERTIFICATE');
  }
  if (label !== undefined && INK.test(around)) {
    throw unreadable('there is text around the PEM block');
  }
  if (!INK.test(body)) throw unreadable('there is nothing');
  return body;
}

function readBody(body: string): Uint8Array {
  const der = decodeBase64(body);
  if (der.length > MOST_BYTES) throw unreadable('the certificate is too large');
  checkDer(DerElement.read(der).expect(TAG.sequence));
  return der;
}

/** A form that was sent without percent-encoding arrives with a blank for each `+`. */
function hasLostItsPluses(body: string): boolean {
  if (!body.includes(' ')) return false;
  try {
    readBody(body.replaceAll(' ', '+'));
    return true;
  } catch {
    return false;
  }
}

/**
 * The DER of every block of a PEM file; what stands between blocks is a comment.
 *
 * @param label what all blocks have to be: `CERTIFICATE`
 * @throws CertificateError CERTIFICATE_UNREADABLE where a block is something else, or is cut off
 */
export function readPemBlocks(text: string, label: string): readonly Uint8Array[] {
  const blocks = Array.from(text.matchAll(BLOCK), ([, found = '', body = '']) => {
    if (found !== label) throw unreadable(`there is a ${found} where each should be a ${label}`);
    return decodeBase64(body);
  });
  if (ANY_MARK.test(text.replaceAll(BLOCK, ''))) throw unreadable('a PEM block is not whole');
  return blocks;
}

/** Strictly: nothing is skipped but white space, and there is one way to write a byte. */
function decodeBase64(text: string): Uint8Array {
  const compact = text.replaceAll(/[ \t\r\n]/g, '');
  const bytes = Buffer.from(compact, 'base64');
  if (!BASE64.test(compact) || bytes.toString('base64') !== compact) {
    throw unreadable('there is neither PEM of a certificate nor base64');
  }
  return bytes;
}
