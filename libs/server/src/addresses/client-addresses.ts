// Finds the client address of a request: the peer's, or the one that trusted proxies report in a forwarding header.
import type { IncomingMessage } from 'node:http';
import { isIPv6, type Socket } from 'node:net';
import type { AddressRanges } from './address-ranges.js';
import { canonicalAddress } from './ip-address.js';

/** The supported headers, named as Node has them. @see RFC 7239 for `forwarded` */
export const FORWARDING_HEADERS = ['x-forwarded-for', 'forwarded'] as const;

export type ForwardingHeader = (typeof FORWARDING_HEADERS)[number];

/** The most hops that are followed; no real chain of proxies is as long. */
const MAX_PROXIES = 16;
/** The peer of a Unix socket or a closed connection. */
const UNKNOWN = 'unknown';
/** An address, IPv6 in brackets, with an optional port, which may be obfuscated (`_name`). */
const NODE = /^(?:([\d.]+)|\[([\da-f:.]+)\])(?::(?:\d{1,5}|_[\w.-]+))?$/i;
const PAIR = /\s*([\w!#$%&'*+.^`|~-]+)=(?:"((?:[^"\\]|\\.)*)"|([^\s;,"]+))\s*(?:;|$)/y;

export interface Forwarding {
  /** Trusted proxies; the header of any other peer is ignored. */
  readonly proxies: AddressRanges;
  /** The header that the proxies set; the other one is ignored. */
  readonly header: ForwardingHeader;
}

export class ClientAddresses {
  /** By connection, because several parts of a request ask for it. */
  private readonly peers = new WeakMap<Socket, string>();

  constructor(private readonly forwarding: Forwarding) {}

  /** The address at the other end of the connection; `unknown` where there is none. */
  peer({ socket }: IncomingMessage): string {
    const known = this.peers.get(socket);
    if (known !== undefined) return known;
    const { remoteAddress = UNKNOWN } = socket;
    const peer = canonicalAddress(remoteAddress) ?? remoteAddress;
    this.peers.set(socket, peer);
    return peer;
  }

  /** Whether the peer is a trusted proxy. */
  isFromProxy(request: IncomingMessage): boolean {
    return this.forwarding.proxies.contains(this.peer(request));
  }

  /**
   * The nearest address that is not a trusted proxy's, from the peer on. Where a proxy reports no address or an invalid one,
   * the result is the proxy's own address: a client may have invented everything further away.
   */
  of(request: IncomingMessage): string {
    const { proxies, header } = this.forwarding;
    let client = this.peer(request);
    if (!proxies.contains(client)) return client;
    const value = request.headers[header];
    if (typeof value !== 'string') return client;
    let count = 0;
    for (const hop of hops(header, value)) {
      count += 1;
      if (hop === undefined || count > MAX_PROXIES) return client;
      client = hop;
      if (!proxies.contains(client)) return client;
    }
    return client;
  }
}

/**
 * The addresses in a header, nearest first; undefined for an element without a valid address (`unknown`, `_hidden`).
 * Elements are parsed from the end, so that text from a client, such as an open quote, cannot change how the proxy's
 * addition is read.
 */
function* hops(header: ForwardingHeader, value: string): Generator<string | undefined> {
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

/** The address of `for=…`, which must occur exactly once among the pairs of an element. */
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
