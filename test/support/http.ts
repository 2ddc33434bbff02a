// An HTTP and HTTPS client that adds no headers, encodes nothing and follows no redirect.
import { request as send, type IncomingHttpHeaders, type Server } from 'node:http';
import { request as sendEncrypted, type RequestOptions } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { INestApplication } from '@nestjs/common';

export interface Reply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface Call {
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as it is, with no header added except Content-Length. */
  readonly body?: string | Buffer;
  /** Sent form-encoded, with its Content-Type. As a text, it may have a field twice. */
  readonly form?: Readonly<Record<string, string>> | string;
  /** For `https:`: trusted authorities, client certificate and key, in PEM. */
  readonly tls?: Pick<RequestOptions, 'ca' | 'cert' | 'key' | 'minVersion' | 'maxVersion'>;
  /** Local address of the connection; 127.0.0.1 by default. */
  readonly localAddress?: string;
}

/** @param path appended to `base` unchanged, query included */
export function http(method: string, base: string, path = '', call: Call = {}): Promise<Reply> {
  const { protocol, hostname, port, pathname } = new URL(base);
  const body = call.form === undefined ? call.body : new URLSearchParams(call.form).toString();
  const headers = {
    ...(call.form && { 'content-type': 'application/x-www-form-urlencoded' }),
    ...call.headers,
    ...(body !== undefined &&
      !call.headers?.['transfer-encoding'] && {
        'content-length': String(Buffer.byteLength(body)),
      }),
  };
  const options: RequestOptions = {
    method,
    hostname,
    port,
    path: pathname.replace(/\/$/, '') + path,
    headers,
    agent: false,
    ...(call.localAddress !== undefined && { localAddress: call.localAddress }),
    ...call.tls,
  };
  return new Promise((resolve, reject) => {
    const request = (protocol === 'https:' ? sendEncrypted : send)(options, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          body: Buffer.concat(chunks).toString('utf8'),
        }),
      );
    });
    request.on('error', reject);
    request.end(body);
  });
}

/** URL of an application that listens on 127.0.0.1. */
export function urlOf(app: INestApplication): string {
  const { port } = (app.getHttpServer() as Server).address() as AddressInfo;
  return `http://127.0.0.1:${port}`;
}
