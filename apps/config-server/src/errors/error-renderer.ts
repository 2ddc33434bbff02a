// Renders errors as JSON, in one of two formats. @see docs/config-server.md, "Errors"
import { STATUS_CODES } from 'node:http';
import { type Answer, type ErrorRenderer, type ErrorResponse, json } from '@tessera/server';
import { pathUnknown } from './environment-error.js';

const ENCRYPTION_PATH = /^\/(?:encrypt|decrypt|key)(?:[/?]|$)/;

/** By status; the status of an error of the server is not among them. */
const ENCRYPTION_WORDS: Readonly<Record<number, string>> = {
  400: 'INVALID',
  401: 'UNAUTHORIZED',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  405: 'METHOD_NOT_ALLOWED',
  413: 'TOO_LARGE',
  415: 'UNSUPPORTED_MEDIA_TYPE',
  429: 'THROTTLED',
  503: 'UNAVAILABLE',
};

/** Renders an error in the format of the endpoint at that path. */
export const renderError: ErrorRenderer = (error, { url = '' }) => {
  const hasNoRoute = error.status === 404 && error.code === undefined;
  if (hasNoRoute) return environmentError({ ...error, message: pathUnknown().message }, url);
  return ENCRYPTION_PATH.test(url) ? encryptionError(error) : environmentError(error, url);
};

/** A word for programs, and a description for people. */
function encryptionError({ status, code, message, headers }: ErrorResponse): Answer {
  const word = code === 'NO_KEY' ? code : (ENCRYPTION_WORDS[status] ?? 'ERROR');
  return json(status, { description: message, status: word }, headers);
}

/** The members that config clients expect. The path is unchanged, without the query. */
function environmentError({ status, message, headers }: ErrorResponse, url: string): Answer {
  const content = {
    timestamp: new Date().toISOString().replace('Z', '+00:00'),
    status,
    error: STATUS_CODES[status],
    path: url.split('?', 1)[0],
    message,
  };
  return json(status, content, headers);
}
