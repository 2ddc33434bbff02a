// HTML answers for browsers: every one has the same headers that protect it.
import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import { Answer } from './answer.js';

/** A page without styles, scripts, images and frames. */
export const BARE_POLICY = "default-src 'none'; base-uri 'none'; frame-ancestors 'none'";

export interface HtmlAnswer {
  readonly status?: number;
  readonly body: string | Buffer;
  /** URL of the server for browsers. Where it is https, browsers use nothing else for this host from then on. */
  readonly baseUrl: string;
  /** For `Content-Security-Policy`. */
  readonly policy?: string;
  readonly headers?: OutgoingHttpHeaders;
}

export function html(answer: HtmlAnswer): Answer {
  const { status = 200, body, baseUrl, policy = BARE_POLICY, headers } = answer;
  return new Answer(status, 'text/html;charset=UTF-8', body, {
    'Content-Security-Policy': policy,
    'Referrer-Policy': 'no-referrer',
    'X-Frame-Options': 'DENY',
    ...(isHttpsAlone(baseUrl) && { 'Strict-Transport-Security': 'max-age=31536000' }),
    ...headers,
  });
}

/** Browsers apply the header to all ports of a host, and on `localhost` other programs speak plain HTTP. */
function isHttpsAlone(baseUrl: string): boolean {
  return /^https:\/\/(?!(?:[^/:]+\.)?localhost(?:[:/]|$))/.test(baseUrl);
}

/** Whether a person asks for a page: programs ask for other types, or for any. */
export function isFromBrowser({ method, headers }: IncomingMessage): boolean {
  return (method === 'GET' || method === 'HEAD') && /\btext\/html\b/i.test(headers.accept ?? '');
}
