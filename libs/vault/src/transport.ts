// Owns the way to Vault and back: one request, bounded in size and by its signal, over connections that are kept. node-vault's
// own, axios, bounds neither, follows redirects with the token, and carries it in its errors and debug lines.
import { Agent, request as plainRequest, type IncomingMessage } from 'node:http';
import { Agent as TlsAgent, request as tlsRequest } from 'node:https';
import { NumberLiteral } from '@tessera/property-sources';

/** As node-vault writes it. */
export interface TransportRequest {
  readonly method: string;
  readonly uri: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly json?: object | undefined;
  readonly signal: AbortSignal;
}

/** As node-vault reads it. */
interface TransportAnswer {
  readonly statusCode: number | undefined;
  /** Parsed JSON with every number as a NumberLiteral; undefined where there is none. */
  readonly body: unknown;
  readonly request: { readonly path: string };
}

/** Secrets are small: Vault's own storage takes a megabyte at most. */
const MOST_BYTES = 8 * 1_048_576;
const MOST_CONNECTIONS = 32;
/** Firewalls forget what was silent for long, without a word. */
const LONGEST_REST_MS = 60_000;

export class Transport {
  private readonly agent: Agent;

  /** @param ca PEM of the CAs of Vault's certificate; absent: the public ones */
  constructor(
    private readonly isTls: boolean,
    ca: string | undefined,
  ) {
    const limits = { keepAlive: true, maxSockets: MOST_CONNECTIONS, timeout: LONGEST_REST_MS };
    // Said outright, so that nothing in the environment says otherwise.
    this.agent = isTls
      ? new TlsAgent({ ...limits, ca, rejectUnauthorized: true })
      : new Agent(limits);
  }

  /** @throws Error that names the fault and holds nothing of request or answer */
  readonly send = async (request: TransportRequest): Promise<TransportAnswer> => {
    const response = await this.answerTo(request);
    const body = parsed(await textOf(response));
    return { statusCode: response.statusCode, body, request: { path: '' } };
  };

  close(): void {
    this.agent.destroy();
  }

  private answerTo(request: TransportRequest): Promise<IncomingMessage> {
    // Named one by one: node-vault adds a path of its own, which would come before the URI's.
    const { uri, method, headers, json, signal } = request;
    const body = json === undefined ? undefined : JSON.stringify(json);
    const ask = this.isTls ? tlsRequest : plainRequest;
    return new Promise((resolve, reject) => {
      const options = { method, headers, signal, agent: this.agent };
      ask(uri, options, resolve).on('error', reject).end(body);
    });
  }
}

async function textOf(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MOST_BYTES) throw new Error(`an answer of more than ${MOST_BYTES} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

function parsed(text: string): unknown {
  if (text === '') return undefined;
  try {
    return JSON.parse(text, exactNumbers as (key: string, value: unknown) => unknown);
  } catch {
    // The parser's own words quote the text.
    throw new Error('an answer that is no JSON');
  }
}

function exactNumbers(_key: string, value: unknown, { source }: { source?: string }): unknown {
  return typeof value === 'number' ? new NumberLiteral(source ?? String(value)) : value;
}
