// Interprets the responses and errors of a config server. Messages contain nothing that was sent or received.
import { schemeHint, type HttpAnswer } from '@tessera/runtime';
import { keyOf } from './config-server-client-settings.js';
import { describeEnvironment, type EnvironmentName } from './environment-name.js';
import { parseEnvironment, type ServedEnvironment } from './served-environment.js';

/** An environment, and the bytes it was parsed from. */
export interface Answer {
  readonly environment: ServedEnvironment;
  readonly json: Uint8Array;
}

export interface RequestFailure {
  /** The setting to check. */
  readonly key: string;
  /** Continues the server's URL. */
  readonly reason: string;
  /** Whether a retry, or another server, may succeed. */
  readonly isTemporary: boolean;
}

export type Outcome = Answer | { readonly failure: RequestFailure };

const JSON_TYPE = /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i;
/** Error codes of OpenSSL and Node.js for untrusted certificates. */
const UNTRUSTED = /^(?:ERR_TLS_|CERT_|UNABLE_TO_|INVALID_CA|HOSTNAME_)|(?:^|_)CERT(?:_|$)/;
const CREDENTIALS = `${keyOf('username')} and ${keyOf('password')}, or ${keyOf('token')}`;

/** @param credential the setting of the credential that was sent; undefined if none was */
export function outcomeOf(
  { status, contentType, body: json }: HttpAnswer,
  name: EnvironmentName,
  credential: string | undefined,
): Outcome {
  if (status !== 200) return { failure: statusFailure(status, name, credential) };
  const environment = JSON_TYPE.test(contentType) ? parseEnvironment(json) : undefined;
  if (environment) return { environment, json };
  return {
    failure: permanent('url', 'answers with something other than an environment of settings'),
  };
}

/**
 * @param error from the HTTP client
 * @param server its URL
 */
export function failureOf(error: unknown, server: string): RequestFailure {
  const { code = '', message } = error as NodeJS.ErrnoException;
  const hint = schemeHint(server, error);
  if (hint !== undefined) {
    return { ...temporary(`cannot be reached (${code}): ${hint}`), isTemporary: code !== 'EPROTO' };
  }
  if (UNTRUSTED.test(code)) {
    const remedy = `name its CA in ${keyOf('ca-file')}`;
    return permanent('ca-file', `has a certificate that is not trusted (${code}): ${remedy}`);
  }
  return code === ''
    ? permanent('url', `gives ${message}`)
    : temporary(`cannot be reached (${code})`);
}

/** @param timeout in milliseconds */
export function timeoutFailure(timeout: number): RequestFailure {
  return temporary(`does not answer within ${timeout} ms`);
}

function statusFailure(
  status: number,
  name: EnvironmentName,
  credential: string | undefined,
): RequestFailure {
  if (status >= 500 || status === 429) return temporary(`answers ${status}`);
  const environment = describeEnvironment(name);
  const reasons: Readonly<Record<number, string>> = {
    401: credential === undefined ? `it requires ${CREDENTIALS}` : 'it does not know the client',
    403: `the client may not read ${environment}; grant it access, or use another client`,
    404: `it is not a config server, or has no ${environment}`,
  };
  const redirect = 'redirects are not followed; set the address it redirects to';
  const otherwise = status >= 300 && status < 400 ? redirect : 'a config server never does';
  const key = status === 401 ? (credential ?? 'url') : 'url';
  return permanent(key, `answers ${status}: ${reasons[status] ?? otherwise}`);
}

function temporary(reason: string): RequestFailure {
  return { key: keyOf('url'), reason, isTemporary: true };
}

function permanent(name: string, reason: string): RequestFailure {
  return { key: keyOf(name), reason, isTemporary: false };
}
