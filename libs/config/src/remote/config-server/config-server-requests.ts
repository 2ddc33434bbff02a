// Requests settings from config servers, one after another, with retries.
import { X509Certificate } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { HttpClient, readRegularFile } from '@tessera/runtime';
import { loggerFor } from '@tessera/logging';
import { retryDelay, logRetry } from '../retry.js';
import {
  failureOf,
  outcomeOf,
  timeoutFailure,
  type Answer,
  type RequestFailure,
  type Outcome,
} from './response-outcome.js';
import { keyOf, type ConfigServerClientSettings } from './config-server-client-settings.js';
import { environmentPath, type EnvironmentName } from './environment-name.js';

const log = loggerFor('settings');

export interface EnvironmentRequest {
  readonly settings: ConfigServerClientSettings;
  readonly name: EnvironmentName;
  /** PEM of the CAs of the servers' certificates; undefined: the public ones. */
  readonly ca: string | undefined;
}

/** The answer of one server, or a failure that names all servers. */
export type FetchResult =
  (Answer & { readonly server: string }) | { readonly failure: RequestFailure };

/** The answer of the first server that has one. A permanent failure ends the attempts. */
export async function fetchEnvironment(request: EnvironmentRequest): Promise<FetchResult> {
  const { settings } = request;
  for (let attempt = 1; ; attempt += 1) {
    const result = await tryServers(request);
    const isFinal = !('failure' in result) || !result.failure.isTemporary;
    if (isFinal || attempt === settings.maxAttempts) return result;
    const pause = retryDelay(attempt, settings);
    const { reason } = result.failure;
    logRetry(log, { reason, attempt, pause }, 'no config server answers; retrying');
    await sleep(pause);
  }
}

async function tryServers(request: EnvironmentRequest): Promise<FetchResult> {
  const reasons: string[] = [];
  for (const server of request.settings.servers) {
    const outcome = await requestFrom(server, request);
    if (!('failure' in outcome)) return { ...outcome, server };
    const reason = `${server} ${outcome.failure.reason}`;
    if (!outcome.failure.isTemporary) return { failure: { ...outcome.failure, reason } };
    reasons.push(reason);
  }
  return { failure: { key: keyOf('url'), reason: reasons.join(', '), isTemporary: true } };
}

async function requestFrom(
  server: string,
  { settings, name, ca }: EnvironmentRequest,
): Promise<Outcome> {
  const client = new HttpClient(/^https:/i.test(server), ca);
  const signal = AbortSignal.timeout(settings.timeout);
  const authorization = settings.authorization();
  const headers = {
    accept: 'application/json',
    ...(authorization !== undefined && { authorization }),
  };
  try {
    const url = `${server}${environmentPath(name)}`;
    const answer = await client.send({ method: 'GET', url, headers, signal });
    return outcomeOf(answer, name, settings.credential);
  } catch (error) {
    return {
      failure: signal.aborted ? timeoutFailure(settings.timeout) : failureOf(error, server),
    };
  } finally {
    client.close();
  }
}

const MAX_BYTES = 1_048_576;
const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g;

/** The PEM text of a CA file, or a message that continues the key which names the file. */
export async function readCaFile(
  path: string,
): Promise<{ readonly pem: string } | { readonly error: string }> {
  const reading = await readRegularFile(path, MAX_BYTES);
  if ('error' in reading) return { error: `names ${path}, which ${reading.error}` };
  const pem = reading.content.toString();
  try {
    const certificates = pem.match(CERTIFICATE);
    if (certificates === null) return { error: `names ${path}, which holds no certificate` };
    for (const certificate of certificates) void new X509Certificate(certificate);
    return { pem };
  } catch (error) {
    const { code = 'unknown error' } = error as NodeJS.ErrnoException;
    return { error: `names ${path}, which cannot be read (${code})` };
  }
}
