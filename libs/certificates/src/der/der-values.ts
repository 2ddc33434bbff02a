// Decodes the values of DER elements: identifiers, times, texts. All throw CERTIFICATE_UNREADABLE.
import { unreadable } from '../certificate-error.js';
import { type DerElement, TAG } from './der-element.js';

const MAX_IDENTIFIER_BYTES = 64;

/** A dotted object identifier: `2.5.4.3`. */
export function objectIdentifier(element: DerElement, tag: number = TAG.objectIdentifier): string {
  const { content } = element.expect(tag);
  if (content.length > MAX_IDENTIFIER_BYTES) throw unreadable('an object identifier is too long');
  const numbers: bigint[] = [];
  let number = 0n;
  for (const byte of content) {
    number = (number << 7n) | BigInt(byte & 0x7f);
    if (byte >= 0x80) continue;
    numbers.push(number);
    number = 0n;
  }
  const [first = 0n, ...others] = numbers;
  const top = first < 80n ? first / 40n : 2n;
  return [top, first - top * 40n, ...others].join('.');
}

const TIME = /^(\d{2,4})(\d{2})(\d{2})(\d{2})(\d{2})(\d{2})Z$/;

/** A time in seconds. @see RFC 5280 §4.1.2.5 */
export function time(element: DerElement): Date {
  const digits = element.tag === TAG.utcTime ? 2 : 4;
  const written = element.content.toString('latin1');
  const [, year = '', ...parts] = TIME.exec(written) ?? [];
  const [month = '', day = '', hour = '', minute = '', second = ''] = parts;
  const century = Number(year) < 50 ? '20' : '19';
  const full = digits === 2 ? century + year : year;
  const moment = new Date(`${full}-${month}-${day}T${hour}:${minute}:${second}Z`);
  const isExact =
    year.length === digits &&
    !Number.isNaN(moment.getTime()) &&
    moment.toISOString().startsWith(`${full}-${month}-${day}T${hour}`);
  if (!isExact) throw unreadable('a time is not written as RFC 5280 demands');
  return moment;
}

/** The text of a string; undefined for another type. */
export function text({ tag, content }: DerElement): string | undefined {
  switch (tag) {
    case TAG.utf8String:
      return utf8(content);
    case TAG.printableString:
    case TAG.numericString:
    case TAG.visibleString:
    case TAG.ia5String:
      return ascii(content);
    case TAG.teletexString:
      return content.toString('latin1');
    case TAG.bmpString:
      return utf16(content);
    case TAG.universalString:
      return utf32(content);
    default:
      return undefined;
  }
}

export function ascii(content: Buffer): string {
  if (content.some((byte) => byte >= 0x80)) throw unreadable('a text holds more than ASCII');
  return content.toString('latin1');
}

function utf8(content: Buffer): string {
  return decode('utf-8', content);
}

function utf16(content: Buffer): string {
  return decode('utf-16be', content);
}

function utf32(content: Buffer): string {
  if (content.length % 4 !== 0) throw unreadable('a text is not well encoded');
  const places = Array.from({ length: content.length / 4 }, (_, place) => place * 4);
  return places.map((place) => character(content.readUInt32BE(place))).join('');
}

function character(codePoint: number): string {
  const isCharacter = codePoint <= 0x10_ffff && (codePoint < 0xd800 || codePoint > 0xdfff);
  if (!isCharacter) throw unreadable('a text is not well encoded');
  return String.fromCodePoint(codePoint);
}

function decode(encoding: string, content: Buffer): string {
  try {
    return new TextDecoder(encoding, { fatal: true, ignoreBOM: true }).decode(content);
  } catch (error) {
    throw unreadable('a text is not well encoded', error);
  }
}
