// Owns the way to a server that settings name, and back: requests bounded in size and by their signal, over connections that
// are kept. Redirects are not followed, since credentials would go along. What answers mean is not known here.
import { Agent, request as plainRequest, type IncomingMessage } from 'node:http';
import { Agent as TlsAgent, request as tlsRequest } from 'node:https';

interface HttpRequest {
  readonly method: string;
  /** Of the kind that the client was made for. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  /** Bounds all of it, the last byte of the answer included. */
  readonly signal: AbortSignal;
}

/** Whatever its status is. */
export interface HttpAnswer {
  readonly status: number;
  /** As it came; empty where none did. */
  readonly contentType: string;
  /** At most 8 MiB. */
  readonly body: Buffer;
}

/** How we show a server who we are: PEM both. */
export interface ClientCertificate {
  readonly cert: string;
  readonly key: string;
}

const MOST_BYTES = 8 * 1_048_576;
const MOST_CONNECTIONS = 32;
/** Firewalls forget what was silent for long, without a word. */
const LONGEST_REST_MS = 60_000;

export class HttpClient {
  private readonly agent: Agent;
  private certificate: ClientCertificate | undefined;

  /**
   * @param isTls for `https:` URLs, else for `http:`
   * @param ca PEM of the CAs of the server's certificate; absent: the public ones
   */
  constructor(
    private readonly isTls: boolean,
    ca?: string,
  ) {
    const limits = { keepAlive: true, maxSockets: MOST_CONNECTIONS, timeout: LONGEST_REST_MS };
    // Said outright, so that nothing in the environment says otherwise.
    this.agent = isTls
      ? new TlsAgent({ ...limits, ca, minVersion: 'TLSv1.2', rejectUnauthorized: true })
      : new Agent(limits);
  }

  /** @throws Error that names the fault and holds nothing of request or answer */
  async send(request: HttpRequest): Promise<HttpAnswer> {
    const response = await this.answerTo(request);
    const body = await bodyOf(response);
    const { statusCode: status = 0, headers } = response;
    return { status, contentType: headers['content-type'] ?? '', body };
  }

  /** Shows it to the server from now on. Connections of before stay as they are, and are used no more. */
  present(certificate: ClientCertificate): void {
    this.certificate = certificate;
  }

  /** Ends what is under way. */
  close(): void {
    this.agent.destroy();
  }

  private answerTo({ url, body, ...rest }: HttpRequest): Promise<IncomingMessage> {
    const ask = this.isTls ? tlsRequest : plainRequest;
    return new Promise((resolve, reject) => {
      ask(url, { ...rest, ...this.certificate, agent: this.agent }, resolve)
        .on('error', reject)
        .end(body);
    });
  }
}

async function bodyOf(response: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MOST_BYTES) throw new Error(`an answer of more than ${MOST_BYTES} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
