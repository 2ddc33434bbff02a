// Owns which requests come from programs of this machine: none of a page that a browser shows here, none that a proxy passes on.
import type { IncomingMessage } from 'node:http';
import { isLoopback } from './loopback.js';

/** The host of a header Host or Origin, without its port. */
const HOST = /^(?:https?:\/\/)?(\[[0-9a-f:.]+\]|[^:/]+)(?::\d+)?$/i;
/** What proxies add to speak for whoever called them. */
const FORWARDING =
  /^(?:forwarded|via|cdn-loop|x-(?:original-)?forwarded(?:-.*)?|x-(?:real|client|cluster-client)-ip|x-original-(?:host|url)|x-envoy-external-address|(?:cf-connecting|true-client|fastly-client)-ip)$/;
/** What browsers say of requests that no page made, or one of ours. @see https://www.w3.org/TR/fetch-metadata/ */
const HARMLESS_SITES: readonly unknown[] = [undefined, 'none', 'same-origin'];

/**
 * Why a request may be of somebody else than a program of this machine; undefined where it is of one.
 *
 * A page from anywhere can make a browser of this machine send requests here, and under a name of its own that leads to
 * 127.0.0.1 it could read the answers. So the server has to be called by a name of this machine, and by no other page. A
 * proxy of this machine brings requests from others, and is known where it says so.
 */
export function reasonNotLocal({ headers, socket }: IncomingMessage): string | undefined {
  if (!isLoopback(socket.remoteAddress ?? '')) return 'this is another machine';
  const forwarding = Object.keys(headers).find((name) => FORWARDING.test(name));
  if (forwarding !== undefined) {
    return `the header ${forwarding} says that a proxy passes this on for others`;
  }
  if (!isHere(headers.host)) return 'this calls the server by another name than localhost';
  const isOfOurPage = headers.origin === undefined || isHere(headers.origin);
  if (isOfOurPage && HARMLESS_SITES.includes(headers['sec-fetch-site'])) return undefined;
  return 'a page from elsewhere makes this request';
}

function isHere(named: string | undefined): boolean {
  const host = HOST.exec(named ?? '')?.[1];
  return host !== undefined && isLoopback(host.replaceAll(/^\[|\]$/g, ''));
}
