// Refuses requests that another HTTP server could read differently: several Host headers, or no HTTP/1 version.
import type { IncomingMessage } from 'node:http';
import type { Fault } from './request-errors.filter.js';

// The connection is closed: what follows on it could be read differently, too.
const headers = { Connection: 'close' };

const NO_HTTP_1: Fault = {
  status: 400,
  message: 'the request line does not say HTTP/1.0 or HTTP/1.1',
  headers,
};
const SEVERAL_HOSTS: Fault = { status: 400, message: 'Host is given more than once', headers };

/**
 * What is wrong with the head of a request that Node accepts. Node itself refuses HTTP/1.1 without Host.
 *
 * @see RFC 9112 §3 (request line), §3.2 (Host)
 */
export function faultOfHead({ httpVersionMajor, rawHeaders }: IncomingMessage): Fault | undefined {
  if (httpVersionMajor !== 1) return NO_HTTP_1;
  return hasSeveralHosts(rawHeaders) ? SEVERAL_HOSTS : undefined;
}

/**
 * Reads the headers as they came: `headers` keeps the first Host alone.
 * Every request pays for this loop, so it creates no strings for the usual spellings.
 */
function hasSeveralHosts(rawHeaders: readonly string[]): boolean {
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? '';
    if (name.length === 4 && isHost(name)) hosts += 1;
  }
  return hosts > 1;
}

function isHost(name: string): boolean {
  return name === 'Host' || name === 'host' || name.toLowerCase() === 'host';
}
