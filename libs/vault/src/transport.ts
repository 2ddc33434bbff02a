// Owns how node-vault is given our way to Vault. Its own, axios, bounds neither time nor size, follows redirects with the
// token, and carries it in its errors and debug lines.
import type { HttpClient } from '@tessera/http-client';
import { NumberLiteral } from '@tessera/property-sources';

/** As node-vault writes it. */
interface TransportRequest {
  readonly method: string;
  readonly uri: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly json?: object | undefined;
  readonly signal: AbortSignal;
}

/** As node-vault reads it. */
interface TransportAnswer {
  readonly statusCode: number;
  /** Parsed JSON with every number as a NumberLiteral; undefined where there is none. */
  readonly body: unknown;
  readonly request: { readonly path: string };
}

/** What it gives throws errors that name the fault and hold nothing of request or answer. */
export function transportOver(client: HttpClient) {
  // Named one by one: node-vault adds a path of its own, which would come before the URI's.
  return async ({
    uri: url,
    method,
    headers,
    json,
    signal,
  }: TransportRequest): Promise<TransportAnswer> => {
    const written = json === undefined ? undefined : JSON.stringify(json);
    const { status, body } = await client.send({ url, method, headers, body: written, signal });
    return { statusCode: status, body: parsed(body.toString()), request: { path: '' } };
  };
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
