// Makes node-vault send its requests by our HTTP client. Its own, axios, limits neither time nor size, sends the token to
// redirects, and leaks it in errors and debug output.
import type { HttpClient } from '@tessera/runtime';
import { NumberLiteral } from '@tessera/property-sources';

/** The request that node-vault passes. */
interface TransportRequest {
  readonly method: string;
  readonly uri: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly json?: object | undefined;
  readonly signal: AbortSignal;
}

/** The answer that node-vault expects. */
interface TransportAnswer {
  readonly statusCode: number;
  /** Parsed JSON with every number as a NumberLiteral; undefined for an empty body. */
  readonly body: unknown;
  readonly request: { readonly path: string };
}

/** The errors of the result contain nothing of request or answer. */
export function transportOver(client: HttpClient) {
  // The options are picked one by one: node-vault adds a `path`, which would override the URI's.
  return async ({
    uri: url,
    method,
    headers,
    json,
    signal,
  }: TransportRequest): Promise<TransportAnswer> => {
    const text = json === undefined ? undefined : JSON.stringify(json);
    const { status, body } = await client.send({ url, method, headers, body: text, signal });
    return { statusCode: status, body: parseJson(body.toString()), request: { path: '' } };
  };
}

function parseJson(text: string): unknown {
  if (text === '') return undefined;
  try {
    return JSON.parse(text, reviveNumber as (key: string, value: unknown) => unknown);
  } catch {
    // The parser's own error quotes the text.
    throw new Error('an answer that is no JSON');
  }
}

function reviveNumber(_key: string, value: unknown, { source }: { source?: string }): unknown {
  return typeof value === 'number' ? new NumberLiteral(source ?? String(value)) : value;
}
