// HTTP and HTTPS as a caller of ours sends it: nothing is added, encoded or followed on the way.
import { request as send, type IncomingHttpHeaders } from 'node:http';
import { request as sendEncrypted, type RequestOptions } from 'node:https';

export interface Reply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface Call {
  readonly headers?: Readonly<Record<string, string>>;
  /** The entity as it is; with `form` left out, sent with the headers given alone. */
  readonly body?: string | Buffer;
  /** Sent as a form, with its Content-Type. */
  readonly form?: Readonly<Record<string, string>>;
  /** For `https:`: whom the caller believes (PEM), and what it shows of itself (PEM). */
  readonly tls?: Pick<RequestOptions, 'ca' | 'cert' | 'key' | 'minVersion' | 'maxVersion'>;
  /** Address of this machine to call from; 127.0.0.1 unless told. */
  readonly localAddress?: string;
}

/** @param path behind `base`, as it stands, query included */
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
