// Owns reading requests for environments and files: path and query become one typed request here, once.
import type { IncomingMessage } from 'node:http';
import { LRUCache } from 'lru-cache';
import { Form, queryText } from '@tessera/server';
import { parsePath, type ParsedPath } from './environment-path.js';

export interface EnvironmentRequest {
  readonly asked: ParsedPath;
  readonly resolvesPlaceholders: boolean;
}

/** In bytes, by estimate, of what is kept of requests that were read. Clients ask for the same again and again. */
const CAPACITY = 1024 * 1024;
const BYTES_PER_REQUEST = 500;

const known = new LRUCache<string, EnvironmentRequest>({
  maxSize: CAPACITY,
  sizeCalculation: (_read, url) => BYTES_PER_REQUEST + 4 * url.length,
});

/** @throws EnvironmentError, RequestError MALFORMED_REQUEST for a malformed query */
export function readEnvironmentRequest(request: IncomingMessage): EnvironmentRequest {
  const { url = '/' } = request;
  const before = known.get(url);
  if (before) return before;
  const read = readUrl(url, queryText(request));
  known.set(url, read);
  return read;
}

function readUrl(url: string, query: string): EnvironmentRequest {
  const [path = ''] = url.split('?', 1);
  const parameters = Form.parse(query);
  return {
    asked: parsePath(path, parameters.has('useDefaultLabel')),
    resolvesPlaceholders: parameters.one('resolvePlaceholders') !== 'false',
  };
}
