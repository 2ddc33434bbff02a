// Owns what an answer of a config server means, and how faults are told to people: with nothing of what was sent or answered.
import { schemeHint, type HttpAnswer } from '@tessera/http-client';
import { keyOf } from './config-server-client-settings.js';
import { describeEnvironment, type EnvironmentName } from './environment-name.js';
import { parseEnvironment, type ServedEnvironment } from './served-environment.js';

/** What was asked for, and the bytes it was read from. */
export interface Answer {
  readonly environment: ServedEnvironment;
  readonly json: Uint8Array;
}

/** Why there is no answer. */
export interface Fault {
  /** The setting to look at. */
  readonly key: string;
  /** Reads on from the server's URL. */
  readonly reason: string;
  /** Whether another attempt, or another server, may help. */
  readonly isTemporary: boolean;
}

export type Outcome = Answer | { readonly fault: Fault };

const JSON_TYPE = /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i;
/** What OpenSSL and Node call the ways in which a certificate is not good. */
const UNTRUSTED = /^(?:ERR_TLS_|CERT_|UNABLE_TO_|INVALID_CA|HOSTNAME_)|(?:^|_)CERT(?:_|$)/;
const CREDENTIALS = `${keyOf('username')} and ${keyOf('password')}, or ${keyOf('token')}`;

/** @param credential the setting with what was sent as such; undefined where nothing was */
export function outcomeOf(
  { status, contentType, body: json }: HttpAnswer,
  name: EnvironmentName,
  credential: string | undefined,
): Outcome {
  if (status !== 200) return { fault: refusal(status, name, credential) };
  const environment = JSON_TYPE.test(contentType) ? parseEnvironment(json) : undefined;
  if (environment) return { environment, json };
  return { fault: lasting('url', 'answers with something else than an environment of settings') };
}

/**
 * @param error as the HTTP client throws it
 * @param server its URL
 */
export function faultOf(error: unknown, server: string): Fault {
  const { code = '', message } = error as NodeJS.ErrnoException;
  const hint = schemeHint(server, error);
  if (hint !== undefined) {
    return { ...temporary(`is not there (${code}): ${hint}`), isTemporary: code !== 'EPROTO' };
  }
  if (UNTRUSTED.test(code)) {
    const remedy = `name its CA in ${keyOf('ca-file')}`;
    return lasting('ca-file', `has a certificate that is not trusted (${code}): ${remedy}`);
  }
  return code === '' ? lasting('url', `gives ${message}`) : temporary(`is not there (${code})`);
}

/** @param timeout in milliseconds */
export function silenceOf(timeout: number): Fault {
  return temporary(`gives no answer within ${timeout} ms`);
}

function refusal(status: number, name: EnvironmentName, credential: string | undefined): Fault {
  if (status >= 500 || status === 429) return temporary(`answers ${status}`);
  const environment = describeEnvironment(name);
  const reasons: Readonly<Record<number, string>> = {
    401: credential === undefined ? `it wants ${CREDENTIALS}` : 'it knows no such client',
    403: `the client may not read ${environment}; let it there, or use another one`,
    404: `it is no config server, or has no ${environment}`,
  };
  const redirect = 'it leads elsewhere, and is not followed; give the address it leads to';
  const otherwise = status >= 300 && status < 400 ? redirect : 'no config server does';
  const key = status === 401 ? (credential ?? 'url') : 'url';
  return lasting(key, `answers ${status}: ${reasons[status] ?? otherwise}`);
}

function temporary(reason: string): Fault {
  return { key: keyOf('url'), reason, isTemporary: true };
}

function lasting(name: string, reason: string): Fault {
  return { key: keyOf(name), reason, isTemporary: false };
}
