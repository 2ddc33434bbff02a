// Recognises requests from programs on this machine, as opposed to web pages and proxies.
import type { IncomingMessage } from 'node:http';
import { isIPv6 } from 'node:net';
import { isLoopback } from './ip-address.js';

/** The value of `Host`: a name or an address, IPv6 in brackets, with an optional port. */
const HOST = /^(?:\[([0-9a-f:.]+)\]|([^:/[\]]+))(?::\d{1,5})?$/i;
/** The scheme of `Origin`; the rest has the form of `Host`. */
const SCHEME = /^https?:\/\//i;
/** Names of headers that proxies add to forward client details. */
const FORWARDING =
  /forwarded|(?:-|client|socket)ip$|remote-addr|^(?:via|cdn-loop|x-original-(?:host|url)|x-envoy-external-address)$/;
/** Headers of nearly every request, skipped for speed. */
const COMMON_HEADERS: ReadonlySet<string> = new Set([
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
/** `Sec-Fetch-Site` of requests that no page, or our own page, has made. @see https://www.w3.org/TR/fetch-metadata/ */
const SAME_ORIGIN_SITES: readonly unknown[] = [undefined, 'none', 'same-origin'];

/**
 * Why a request may not come from a program of this machine; undefined where it does.
 *
 * Any web page can make a browser on this machine send requests here. Through DNS rebinding (a name that resolves to
 * 127.0.0.1) it could read the answers. So `Host` must name this machine and `Origin` must be absent or our own. A proxy on
 * this machine forwards requests of other machines. It is recognised by its headers, or by HTTP/1.0: many proxies use it
 * to upstream servers, other programs no longer do.
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
  if (!isLocalHost(host)) return 'this calls the server by another name than localhost';
  const isOwnPage = origin === undefined || isSameOrigin(host, origin);
  if (isOwnPage && SAME_ORIGIN_SITES.includes(headers['sec-fetch-site'])) return undefined;
  return 'a page from elsewhere makes this request';
}

/** Some proxies spell header names with underscores, as CGI does. */
function isForwarding(name: string): boolean {
  return !COMMON_HEADERS.has(name) && FORWARDING.test(name.replaceAll('_', '-'));
}

function isLocalHost(host: string): boolean {
  const [, ipv6, name] = HOST.exec(host) ?? [];
  return ipv6 === undefined ? isLoopback(name ?? '') : isIPv6(ipv6) && isLoopback(ipv6);
}

/** Another server on this machine has another port, so another origin. */
function isSameOrigin(host: string, origin: string): boolean {
  return SCHEME.test(origin) && origin.replace(SCHEME, '').toLowerCase() === host.toLowerCase();
}
