// Checks a whole encoding before it is read: rejects BER that is not DER, deep nesting and too many elements.
import { unreadable } from '../certificate-error.js';
import { type DerElement, TAG } from './der-element.js';

const MAX_DEPTH = 16;

/** Also limits the extensions, the names in an extension, and the parts of a name. */
const MAX_CHILDREN = 128;

/**
 * @throws CertificateError CERTIFICATE_UNREADABLE
 * @see X.690 §10, §11
 */
export function checkDer(element: DerElement, depth = 0): void {
  if (depth > MAX_DEPTH) throw unreadable(`the DER is nested deeper than ${MAX_DEPTH}`);
  checkTag(element);
  if (!element.isConstructed) {
    checkPrimitive(element);
    return;
  }
  const children = element.children();
  if (children.length > MAX_CHILDREN) {
    throw unreadable(`a DER element holds more than ${MAX_CHILDREN}`);
  }
  for (const child of children) checkDer(child, depth + 1);
}

/** Only sequences and sets are constructed. Constructed strings and long tags are BER. */
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
  const isValid = WELL_FORMED.get(tag)?.(content) ?? true;
  if (!isValid) throw unreadable('a value is not written as DER demands');
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

/** Unused bits of the last byte must be zero. */
function isBitString(content: Buffer): boolean {
  const unused = content[0];
  if (unused === undefined || unused > 7) return false;
  if (content.length === 1) return unused === 0;
  return ((content.at(-1) ?? 0) & ((1 << unused) - 1)) === 0;
}

/** No arc starts with a zero digit, and the last arc is complete. */
function isObjectIdentifier(content: Buffer): boolean {
  const isStart = (place: number): boolean => place === 0 || (content[place - 1] ?? 0) < 0x80;
  const isPadded = content.some((byte, place) => byte === 0x80 && isStart(place));
  return content.length > 0 && !isPadded && (content.at(-1) ?? 0) < 0x80;
}
