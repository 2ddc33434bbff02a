// An HTTP client for one server: keep-alive connections, and limits on the size and time of answers. It does not follow
// redirects, which would receive the credentials.
import { Agent, request as plainRequest, type IncomingMessage } from 'node:http';
import { Agent as TlsAgent, request as tlsRequest } from 'node:https';
import { lookupHost } from './host-lookup.js';

interface HttpRequest {
  readonly method: string;
  /** Of the scheme that the client was created for. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  /** Limits the time until the last byte of the answer. */
  readonly signal: AbortSignal;
}

export interface HttpAnswer {
  readonly status: number;
  /** The header as received; empty where absent. */
  readonly contentType: string;
  /** At most 8 MiB. */
  readonly body: Buffer;
}

/** A client certificate and its key, in PEM. */
export interface ClientCertificate {
  readonly cert: string;
  readonly key: string;
}

const MAX_BYTES = 8 * 1_048_576;
const MAX_CONNECTIONS = 32;
/** Firewalls drop idle connections silently. */
const IDLE_TIMEOUT_MS = 60_000;

export class HttpClient {
  private readonly agent: Agent;
  private certificate: ClientCertificate | undefined;

  /**
   * @param isTls for `https:` URLs, else for `http:`
   * @param ca PEM of the CAs of the server's certificate; default: the public ones
   */
  constructor(
    private readonly isTls: boolean,
    ca?: string,
  ) {
    const limits = {
      keepAlive: true,
      maxSockets: MAX_CONNECTIONS,
      timeout: IDLE_TIMEOUT_MS,
      lookup: lookupHost,
    };
    // Set explicitly, so that NODE_TLS_REJECT_UNAUTHORIZED has no effect.
    this.agent = isTls
      ? new TlsAgent({ ...limits, ca, minVersion: 'TLSv1.2', rejectUnauthorized: true })
      : new Agent(limits);
  }

  /** @throws Error whose message contains nothing of request or answer */
  async send(request: HttpRequest): Promise<HttpAnswer> {
    const response = await this.responseTo(request);
    const body = await readBody(response);
    const { statusCode: status = 0, headers } = response;
    return { status, contentType: headers['content-type'] ?? '', body };
  }

  /** Presents the certificate on new connections. Existing connections are not used again. */
  present(certificate: ClientCertificate): void {
    this.certificate = certificate;
  }

  /** Aborts pending requests. */
  close(): void {
    this.agent.destroy();
  }

  private responseTo({ url, body, ...rest }: HttpRequest): Promise<IncomingMessage> {
    const start = this.isTls ? tlsRequest : plainRequest;
    return new Promise((resolve, reject) => {
      start(url, { ...rest, ...this.certificate, agent: this.agent }, resolve)
        .on('error', reject)
        .end(body);
    });
  }
}

async function readBody(response: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_BYTES) throw new Error(`an answer of more than ${MAX_BYTES} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/**
 * A hint for a connection error that suggests the wrong scheme: HTTPS to a plain HTTP server, or the reverse. Undefined
 * where the scheme is probably right.
 */
export function schemeHint(url: string, error: unknown): string | undefined {
  const { code, message = '' } = error as Partial<NodeJS.ErrnoException>;
  if (/^https:/i.test(url)) {
    const isPlain = code === 'EPROTO' && /wrong version number|packet length/.test(message);
    return isPlain ? 'it seems to speak plain HTTP: write http://' : undefined;
  }
  return code === 'ECONNRESET' ? 'if it speaks TLS, write https://' : undefined;
}
