// Owns the asking: one server after another, again and again, until there is an answer or no more patience.
import { setTimeout as sleep } from 'node:timers/promises';
import { HttpClient } from '@tessera/http-client';
import { loggerFor } from '@tessera/logging';
import { retryDelay, logRetry } from '../retry.js';
import { faultOf, outcomeOf, silenceOf, type Answer, type Fault, type Outcome } from './answer.js';
import { keyOf, type ConfigServerClientSettings } from './config-server-client-settings.js';
import { environmentPath, type EnvironmentName } from './environment-name.js';

const log = loggerFor('settings');

/** What every request has to know. */
export interface Inquiry {
  readonly settings: ConfigServerClientSettings;
  readonly name: EnvironmentName;
  /** PEM of the CAs of the servers' certificates; absent: the public ones. */
  readonly ca: string | undefined;
}

/** How it ended: with the answer of one server, or with a fault that names all that were asked. */
export type Conclusion = (Answer & { readonly server: string }) | { readonly fault: Fault };

/** The answer of the first server that has one. A fault that no other attempt mends is told at once. */
export async function askConfigServers(inquiry: Inquiry): Promise<Conclusion> {
  const { settings } = inquiry;
  for (let attempt = 1; ; attempt += 1) {
    const conclusion = await askEach(inquiry);
    const isOver = !('fault' in conclusion) || !conclusion.fault.isTemporary;
    if (isOver || attempt === settings.maxAttempts) return conclusion;
    const pause = retryDelay(attempt, settings);
    const { reason } = conclusion.fault;
    logRetry(log, { reason, attempt, pause }, 'no config server answers; asking again');
    await sleep(pause);
  }
}

async function askEach(inquiry: Inquiry): Promise<Conclusion> {
  const reasons: string[] = [];
  for (const server of inquiry.settings.servers) {
    const outcome = await ask(server, inquiry);
    if (!('fault' in outcome)) return { ...outcome, server };
    const reason = `${server} ${outcome.fault.reason}`;
    if (!outcome.fault.isTemporary) return { fault: { ...outcome.fault, reason } };
    reasons.push(reason);
  }
  return { fault: { key: keyOf('url'), reason: reasons.join(', '), isTemporary: true } };
}

async function ask(server: string, { settings, name, ca }: Inquiry): Promise<Outcome> {
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
    return { fault: signal.aborted ? silenceOf(settings.timeout) : faultOf(error, server) };
  } finally {
    client.close();
  }
}
