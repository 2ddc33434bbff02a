// The HTTP client for calls to registered services. A service names the URL, so the client connects to allowed addresses
// only: it resolves the host once, checks every address, and connects to one that it has checked.
// @see docs/adr/0031-outgoing-calls.md
import type { LookupAddress } from 'node:dns';
import { request as plainRequest, type IncomingMessage } from 'node:http';
import { request as tlsRequest } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { findAddresses, OperationChannel } from '@tessera/runtime';
import type { AddressRanges } from '@tessera/server';
import { OutgoingError } from './errors.js';
import { isPublicAddress } from './public-addresses.js';

export interface OutgoingPolicy {
  readonly allowHttp: boolean;
  /** Addresses that are allowed besides the public ones. */
  readonly allowedAddresses: AddressRanges;
}

/** A call of a service. Its result is the status. */
export interface OutgoingCall {
  readonly method: 'GET' | 'POST';
  /** May hold a ticket in its query. */
  readonly url: string;
}

export const outgoingCalls = new OperationChannel<OutgoingCall>('tessera:outgoing-calls');

/** The rest of a longer body is not read. */
const MAX_BODY_BYTES = 65_536;

/** Answers with status 1xx that may precede the answer. Node does not limit them. */
const MAX_INTERIM_ANSWERS = 4;

const FORM_HEADERS = { 'Content-Type': 'application/x-www-form-urlencoded' };

/** Node's codes for certificates that cannot be verified. @see https://nodejs.org/api/tls.html#x509-certificate-error-codes */
const CERTIFICATE_ERROR =
  /^(CERT_|CRL_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|ERR_TLS_CERT_|INVALID_CA|PATH_LENGTH_|INVALID_PURPOSE|HOSTNAME_MISMATCH)/;

export class OutgoingClient {
  /**
   * @param resolve finds the addresses of a host; by default in `/etc/hosts` and the DNS
   */
  constructor(
    private readonly policy: OutgoingPolicy,
    private readonly resolve: (host: string) => Promise<readonly LookupAddress[]> = findAddresses,
  ) {}

  /**
   * Sends a GET request on a new connection, without cookies, and reads at most 64 KiB of the answer. It does not follow
   * redirects.
   *
   * @param signal limits the time until the end of the answer
   * @returns the status
   * @throws OutgoingError URL_NOT_ALLOWED, ADDRESS_NOT_ALLOWED or HOST_NOT_FOUND before any connection;
   *   CERTIFICATE_NOT_TRUSTED or NO_ANSWER
   */
  get(text: string, signal: AbortSignal): Promise<number> {
    return outgoingCalls.run({ method: 'GET', url: text }, () =>
      this.call({ text }, signal, readStatus),
    );
  }

  /**
   * As {@link get}, for a document.
   *
   * @returns the body, read as UTF-8
   * @throws OutgoingError UNEXPECTED_STATUS for another status than 200; NO_ANSWER for more than 64 KiB
   */
  getText(text: string, signal: AbortSignal): Promise<string> {
    return outgoingCalls.run({ method: 'GET', url: text }, () =>
      this.call({ text }, signal, readText),
    );
  }

  /** As {@link get}, but sends a POST request with these fields of a form. */
  postForm(
    text: string,
    fields: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ): Promise<number> {
    const form = new URLSearchParams(fields).toString();
    return outgoingCalls.run({ method: 'POST', url: text }, () =>
      this.call({ text, form }, signal, readStatus),
    );
  }

  private async call<T>(
    { text, form }: { readonly text: string; readonly form?: string },
    signal: AbortSignal,
    read: (response: IncomingMessage) => Promise<T>,
  ): Promise<T> {
    const { allowHttp, allowedAddresses } = this.policy;
    const url = parseUrl(text, allowHttp);
    const addresses = await this.addressesOf(url.hostname, signal);
    for (const { address } of addresses) {
      if (!isPublicAddress(address) && !allowedAddresses.contains(address)) {
        throw new OutgoingError('ADDRESS_NOT_ALLOWED', 'Its address is not allowed');
      }
    }
    try {
      // The signal ends the wait too where Node reports neither an answer nor an error.
      const answer = send({ url, form }, addresses, signal).then(read);
      return await Promise.race([answer, aborted(signal)]);
    } catch (error) {
      throw toOutgoingError(error, signal);
    }
  }

  private async addressesOf(
    hostname: string,
    signal: AbortSignal,
  ): Promise<readonly LookupAddress[]> {
    const host = hostname.replace(/^\[|\]$/g, '');
    const family = isIP(host);
    if (family !== 0) return [{ address: host, family }];
    try {
      return await Promise.race([this.resolve(host), aborted(signal)]);
    } catch (error) {
      throw new OutgoingError('HOST_NOT_FOUND', 'Its host was not found', error);
    }
  }
}

/** The URL parser writes an IPv4 address of any form (decimal, octal, hexadecimal) in its usual one. */
function parseUrl(text: string, allowHttp: boolean): URL {
  const url = URL.parse(text);
  const schemes = allowHttp ? ['https:', 'http:'] : ['https:'];
  if (url === null || !schemes.includes(url.protocol)) {
    const kinds = allowHttp ? 'https or http' : 'https';
    throw new OutgoingError('URL_NOT_ALLOWED', `It is not an ${kinds} URL`);
  }
  if (url.username !== '' || url.password !== '' || url.hash !== '') {
    throw new OutgoingError('URL_NOT_ALLOWED', 'It has a user or a fragment');
  }
  return url;
}

interface OutgoingRequest {
  readonly url: URL;
  /** The body of a POST request; undefined for GET. */
  readonly form: string | undefined;
}

function send(
  { url, form }: OutgoingRequest,
  addresses: readonly LookupAddress[],
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const useAddresses: LookupFunction = (_host, { all }, callback) => {
    const [first] = addresses;
    if (all === true) callback(null, [...addresses]);
    else callback(null, first?.address ?? '', first?.family);
  };
  const options = {
    signal,
    // A connection of its own, so that no state is kept between calls.
    agent: false as const,
    lookup: useAddresses,
    ...(form !== undefined && { method: 'POST', headers: FORM_HEADERS }),
  };
  return new Promise((resolve, reject) => {
    const request =
      url.protocol === 'https:'
        ? // Set explicitly, so that NODE_TLS_REJECT_UNAUTHORIZED has no effect.
          tlsRequest(url, { ...options, minVersion: 'TLSv1.2', rejectUnauthorized: true }, resolve)
        : plainRequest(url, options, resolve);
    let interim = 0;
    const countInterim = (): void => {
      interim += 1;
      if (interim > MAX_INTERIM_ANSWERS) request.destroy(new Error('too many interim answers'));
    };
    request
      .on('error', reject)
      .on('continue', countInterim)
      .on('information', countInterim)
      .on('upgrade', (_response, socket) => {
        socket.destroy();
        reject(new Error('the answer changes the protocol'));
      })
      .end(form);
  });
}

/** Reads the body too: some servers abort a program when the client closes the connection early. */
async function readStatus(response: IncomingMessage): Promise<number> {
  await readBody(response);
  return response.statusCode ?? 0;
}

async function readText(response: IncomingMessage): Promise<string> {
  const body = await readBody(response);
  const { statusCode } = response;
  if (statusCode !== 200) {
    throw new OutgoingError('UNEXPECTED_STATUS', `It answered with status ${statusCode}`);
  }
  if (body === undefined) throw new OutgoingError('NO_ANSWER', 'Its answer is too long');
  return body.toString('utf8');
}

/** Undefined for a body that is too long. */
async function readBody(response: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_BODY_BYTES) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function toOutgoingError(error: unknown, signal: AbortSignal): OutgoingError {
  if (error instanceof OutgoingError) return error;
  if (signal.aborted) return new OutgoingError('NO_ANSWER', 'It did not answer in time', error);
  const { code = '' } = error as NodeJS.ErrnoException;
  if (CERTIFICATE_ERROR.test(code)) {
    return new OutgoingError('CERTIFICATE_NOT_TRUSTED', 'Its certificate is not trusted', error);
  }
  return new OutgoingError('NO_ANSWER', 'It did not answer', error);
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const fail = (): void => reject(signal.reason as Error);
    if (signal.aborted) fail();
    else signal.addEventListener('abort', fail, { once: true });
  });
}
