// Owns reading the headers in which proxies name who called them. Who of them is believed is decided elsewhere.
import { isIPv6 } from 'node:net';
import { canonicalAddress } from './address.js';

/** The headers there are, by their names as Node has them. @see RFC 7239 for `forwarded` */
export const FORWARDING_HEADERS = ['x-forwarded-for', 'forwarded'] as const;

export type ForwardingHeader = (typeof FORWARDING_HEADERS)[number];

/** An address, IPv6 in brackets, and perhaps a port, which may be hidden behind a name. */
const NODE = /^(?:([\d.]+)|\[([\da-f:.]+)\])(?::(?:\d{1,5}|_[\w.-]+))?$/i;
const PAIR = /\s*([\w!#$%&'*+.^`|~-]+)=(?:"((?:[^"\\]|\\.)*)"|([^\s;,"]+))\s*(?:;|$)/y;

/**
 * The addresses a header names, the nearest first, each undefined where it names none that can be read (`unknown`,
 * `_hidden`, anything else). They are read one by one from the end, so that what a caller wrote before a proxy's
 * addition, open quotes included, cannot change how the addition reads.
 */
export function* hops(header: ForwardingHeader, value: string): Generator<string | undefined> {
  for (const element of elementsFromTheEnd(value)) {
    yield header === 'forwarded' ? forwardedFor(element) : plainAddress(element);
  }
}

/** Commas in quoted strings do not separate. */
function* elementsFromTheEnd(list: string): Generator<string> {
  let end = list.length;
  let isQuoted = false;
  for (let index = end - 1; index >= 0; index -= 1) {
    if (list[index] === '"' && !isEscaped(list, index)) isQuoted = !isQuoted;
    if (list[index] !== ',' || isQuoted) continue;
    yield list.slice(index + 1, end).trim();
    end = index;
  }
  yield list.slice(0, end).trim();
}

function isEscaped(text: string, index: number): boolean {
  let start = index;
  while (text[start - 1] === '\\') start -= 1;
  return (index - start) % 2 === 1;
}

function plainAddress(element: string): string | undefined {
  return isIPv6(element) ? canonicalAddress(element) : nodeAddress(element);
}

/** Of `for=…` among the pairs of an element; it stands there once. */
function forwardedFor(element: string): string | undefined {
  const found: string[] = [];
  PAIR.lastIndex = 0;
  while (PAIR.lastIndex < element.length) {
    const [, name, quoted, token] = PAIR.exec(element) ?? [];
    if (name === undefined) return undefined;
    if (name.toLowerCase() === 'for') found.push(quoted?.replace(/\\(.)/g, '$1') ?? token ?? '');
  }
  const [node, ...more] = found;
  return node === undefined || more.length > 0 ? undefined : nodeAddress(node);
}

function nodeAddress(node: string): string | undefined {
  const [, ipv4, ipv6] = NODE.exec(node) ?? [];
  return canonicalAddress(ipv4 ?? ipv6 ?? '');
}
