// Walks all of an encoding before anybody reads it: what BER allows and DER does not is refused, and
// so is what is nested too deeply or holds too many elements.
import { unreadable } from '../certificate-error.js';
import { type DerElement, TAG } from './der-element.js';

const DEEPEST = 16;

/** Also the most extensions, names in an extension, and parts of a name that a certificate can have. */
const MOST_CHILDREN = 128;

/**
 * Checks an element and all inside it.
 *
 * @throws CertificateError CERTIFICATE_UNREADABLE
 * @see X.690 §10, §11
 */
export function checkDer(element: DerElement, depth = 0): void {
  if (depth > DEEPEST) throw unreadable(`the DER is nested deeper than ${DEEPEST}`);
  checkTag(element);
  if (!element.isConstructed) {
    checkPrimitive(element);
    return;
  }
  const children = element.children();
  if (children.length > MOST_CHILDREN) {
    throw unreadable(`a DER element holds more than ${MOST_CHILDREN}`);
  }
  for (const child of children) checkDer(child, depth + 1);
}

/** Only sequences and sets are made of parts; strings in pieces and long tags are BER. */
function checkTag({ tag, isConstructed }: DerElement): void {
  const number = tag & 0x1f;
  const isUniversal = tag < 0x40;
  const isCollection = number === 0x10 || number === 0x11;
  const isLong = number === 0x1f;
  if (isLong || tag === 0 || (isUniversal && isConstructed !== isCollection)) {
    throw unreadable('a DER element has a type that certificates do not have');
  }
}

function checkPrimitive({ tag, content }: DerElement): void {
  const isWell = WELL_FORMED.get(tag)?.(content) ?? true;
  if (!isWell) throw unreadable('a value is not written as DER demands');
}

const WELL_FORMED: ReadonlyMap<number, (content: Buffer) => boolean> = new Map([
  [TAG.boolean, ([value, ...more]) => more.length === 0 && (value === 0 || value === 0xff)],
  [TAG.integer, isShortestInteger],
  [TAG.bitString, isBitString],
  [TAG.null, (content) => content.length === 0],
  [TAG.objectIdentifier, isObjectIdentifier],
]);

function isShortestInteger(content: Buffer): boolean {
  const [first, second = 0] = content;
  if (first === undefined) return false;
  const isPadded = (first === 0 && second < 0x80) || (first === 0xff && second >= 0x80);
  return content.length === 1 || !isPadded;
}

/** The bits that the last byte has too many must be zero. */
function isBitString(content: Buffer): boolean {
  const unused = content[0];
  if (unused === undefined || unused > 7) return false;
  if (content.length === 1) return unused === 0;
  return ((content.at(-1) ?? 0) & ((1 << unused) - 1)) === 0;
}

/** No number begins with a zero digit, and the last one ends. */
function isObjectIdentifier(content: Buffer): boolean {
  const isStart = (place: number): boolean => place === 0 || (content[place - 1] ?? 0) < 0x80;
  const isPadded = content.some((byte, place) => byte === 0x80 && isStart(place));
  return content.length > 0 && !isPadded && (content.at(-1) ?? 0) < 0x80;
}
