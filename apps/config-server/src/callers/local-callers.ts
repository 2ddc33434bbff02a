// Owns who is let in where no client is configured: programs of this machine, and no pages that its browsers show.
import type { IncomingMessage } from 'node:http';
import { CallerError } from './caller-error.js';
import type { Callers } from './callers.js';
import { isLoopback } from './loopback.js';

/** The host of a header Host or Origin, without its port. */
const HOST = /^(?:https?:\/\/)?(\[[0-9a-f:.]+\]|[^:/]+)(?::\d+)?$/i;
/** What proxies add to speak for whoever called them. */
const FORWARDING =
  /^(?:forwarded|via|x-(?:real|client)-ip|x-forwarded(?:-.*)?|x-envoy-external-address|cf-connecting-ip|true-client-ip)$/;
/** What browsers say of requests that no page made, or one of ours. @see https://www.w3.org/TR/fetch-metadata/ */
const HARMLESS_SITES: readonly unknown[] = [undefined, 'none', 'same-origin'];
const REMEDY = 'name the clients in config-server.clients';

/**
 * A page from anywhere can make a browser of this machine send requests here, and under a name of its own that leads to
 * 127.0.0.1 it could read the answers. So the server has to be called by a name of this machine, and by no other page. A
 * proxy of this machine brings requests from others, which are refused where it says so.
 */
export class LocalCallers implements Callers {
  admit(request: IncomingMessage): Promise<void> {
    const reason = reasonToRefuse(request);
    if (reason === undefined) return Promise.resolve();
    const message = `no client is configured, so only programs of this machine are answered: ${reason}`;
    return Promise.reject(new CallerError('CALLER_NOT_ALLOWED', message));
  }
}

function reasonToRefuse({ headers, socket }: IncomingMessage): string | undefined {
  const forwarding = Object.keys(headers).find((name) => FORWARDING.test(name));
  if (!isLoopback(socket.remoteAddress ?? '')) return `this is another machine; ${REMEDY}`;
  if (forwarding !== undefined) {
    return `the header ${forwarding} says that a proxy passes this on for others; ${REMEDY}`;
  }
  if (!isHere(headers.host)) return `call it localhost, or ${REMEDY}`;
  const isOfOurPage = headers.origin === undefined || isHere(headers.origin);
  if (isOfOurPage && HARMLESS_SITES.includes(headers['sec-fetch-site'])) return undefined;
  return `a page from elsewhere makes this request; call from a program, or ${REMEDY}`;
}

function isHere(named: string | undefined): boolean {
  const host = HOST.exec(named ?? '')?.[1];
  return host !== undefined && isLoopback(host.replaceAll(/^\[|\]$/g, ''));
}
