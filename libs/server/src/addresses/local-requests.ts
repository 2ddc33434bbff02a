// Owns which requests come from programs of this machine: none of a page that a browser shows here, none that a proxy passes on.
import type { IncomingMessage } from 'node:http';
import { isIPv6 } from 'node:net';
import { isLoopback } from './loopback.js';

/** A header Host: a name or an address, IPv6 in brackets, and perhaps a port. */
const HOST = /^(?:\[([0-9a-f:.]+)\]|([^:/[\]]+))(?::\d{1,5})?$/i;
/** The scheme of a header Origin; what follows is written as a Host is. */
const SCHEME = /^https?:\/\//i;
/** What proxies add to speak for whoever called them, by what such names have in common, and those that have nothing. */
const FORWARDING =
  /forwarded|(?:-|client|socket)ip$|remote-addr|^(?:via|cdn-loop|x-original-(?:host|url)|x-envoy-external-address)$/;
/** What nearly every request has, so that it need not be asked about. */
const USUAL: ReadonlySet<string> = new Set([
  'accept',
  'accept-encoding',
  'authorization',
  'connection',
  'content-length',
  'content-type',
  'host',
  'transfer-encoding',
  'user-agent',
]);
/** What browsers say of requests that no page made, or one of ours. @see https://www.w3.org/TR/fetch-metadata/ */
const HARMLESS_SITES: readonly unknown[] = [undefined, 'none', 'same-origin'];

/**
 * Why a request may be of somebody else than a program of this machine; undefined where it is of one.
 *
 * A page from anywhere can make a browser of this machine send requests here, and under a name of its own that leads to
 * 127.0.0.1 it could read the answers. So the server has to be called by a name of this machine, and by no page but its
 * own. A proxy of this machine brings requests from others: it is known where it says so, or speaks HTTP/1.0, as many do
 * to the servers behind them, and programs no more.
 */
export function reasonNotLocal(request: IncomingMessage): string | undefined {
  const { headers, socket } = request;
  if (!isLoopback(socket.remoteAddress ?? '')) return 'this is another machine';
  const forwarding = Object.keys(headers).find(isForwarding);
  if (forwarding !== undefined) {
    return `the header ${forwarding} says that a proxy passes this on for others`;
  }
  if (request.httpVersion === '1.0') return 'this speaks HTTP/1.0, as proxies do';
  const { host = '', origin } = headers;
  if (!isHere(host)) return 'this calls the server by another name than localhost';
  const isOfOurPage = origin === undefined || isOriginOf(host, origin);
  if (isOfOurPage && HARMLESS_SITES.includes(headers['sec-fetch-site'])) return undefined;
  return 'a page from elsewhere makes this request';
}

/** Some proxies spell names with underscores, as the programs of CGI have them. */
function isForwarding(name: string): boolean {
  return !USUAL.has(name) && FORWARDING.test(name.replaceAll('_', '-'));
}

function isHere(host: string): boolean {
  const [, ipv6, name] = HOST.exec(host) ?? [];
  return ipv6 === undefined ? isLoopback(name ?? '') : isIPv6(ipv6) && isLoopback(ipv6);
}

/** Whatever else this machine serves is of another origin, by its port. */
function isOriginOf(host: string, origin: string): boolean {
  return SCHEME.test(origin) && origin.replace(SCHEME, '').toLowerCase() === host.toLowerCase();
}
