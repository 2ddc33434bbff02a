// Owns reading requests for environments and files: path and query become one typed request here, once.
import type { IncomingMessage } from 'node:http';
import { Form, queryText } from '@tessera/server';
import { parsePath, type Asked } from './environment-path.js';

export interface EnvironmentRequest {
  readonly asked: Asked;
  readonly resolvesPlaceholders: boolean;
}

/** @throws EnvironmentError, RequestError MALFORMED_REQUEST for a malformed query */
export function readEnvironmentRequest(request: IncomingMessage): EnvironmentRequest {
  const url = request.url ?? '/';
  const query = queryText(request);
  if (query === '') return { asked: parsePath(url, false), resolvesPlaceholders: true };
  const parameters = Form.parse(query);
  return {
    asked: parsePath(url.slice(0, url.indexOf('?')), parameters.has('useDefaultLabel')),
    resolvesPlaceholders: parameters.one('resolvePlaceholders') !== 'false',
  };
}
