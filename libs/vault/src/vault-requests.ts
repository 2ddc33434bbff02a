// Requests to Vault through node-vault, with a time limit, retries and a log. No other file uses node-vault.
import { setTimeout as sleep } from 'node:timers/promises';
import type NodeVault from 'node-vault';
import { HttpClient, type ClientCertificate, backoffDelay } from '@tessera/runtime';
import { loggerFor } from '@tessera/logging';
import { answerOf, fieldsOf, keyNamesIn, type VaultAnswer } from './answer.js';
import { redactSecrets } from './redact-secrets.js';
import { transportOver } from './transport.js';
import { unavailable, VaultError } from './vault-error.js';

const log = loggerFor('vault');

const MAX_ATTEMPTS = 3;
/** In milliseconds. */
const RETRY_BACKOFF = { initial: 50, max: 1_000 };
/** In one line of the log. */
const MAX_LOGGED_KEYS = 100;

export interface RequestOptions {
  /** `https://vault.example.org:8200` */
  readonly uri: string;
  readonly namespace: string;
  /** Milliseconds for an answer, including retries. */
  readonly timeout: number;
  /** PEM of the CAs of Vault's certificate; by default the public ones. */
  readonly ca: string | undefined;
}

export interface VaultRequest {
  /** Encoded, without `/v1/`. */
  readonly path: string;
  readonly token?: string;
  /** Makes it a POST, which is not retried. */
  readonly body?: object;
  /** Secrets in the body, to mask in errors and logs. */
  readonly secrets?: readonly string[];
}

export class VaultRequests {
  private isClosed = false;

  private constructor(
    private readonly vault: NodeVault.client,
    private readonly connections: HttpClient,
    private readonly timeout: number,
  ) {}

  static async open({ uri, namespace, timeout, ca }: RequestOptions): Promise<VaultRequests> {
    const { default: nodeVault } = await import('node-vault');
    const connections = new HttpClient(/^https:/i.test(uri), ca);
    const vault = nodeVault({
      endpoint: uri,
      'request-promise': { defaults: () => transportOver(connections) },
      debug: () => {}, // node-vault's own writes whole requests when DEBUG is set
    });
    // Otherwise node-vault reads these from the environment.
    Object.assign(vault, { token: '', namespace, pathPrefix: '' });
    return new VaultRequests(vault, connections, timeout);
  }

  /**
   * Sends a request and returns the answer, whose status is 200 or 4xx.
   *
   * @throws VaultError VAULT_UNAVAILABLE, VAULT_SEALED
   */
  async send(request: VaultRequest): Promise<VaultAnswer> {
    const signal = AbortSignal.timeout(this.timeout);
    const attempts = request.body === undefined ? MAX_ATTEMPTS : 1;
    for (let attempt = 1; ; attempt += 1) {
      try {
        return soundAnswer(await this.attempt(request, signal));
      } catch (error) {
        if (error instanceof VaultError) throw error;
        if (signal.aborted) throw unavailable(new Error(`no answer within ${this.timeout} ms`));
        if (attempt === attempts || this.isClosed) throw unavailable(error);
        const delay = backoffDelay(attempt, RETRY_BACKOFF);
        await sleep(delay, undefined, { signal }).catch(() => {});
      }
    }
  }

  present(certificate: ClientCertificate): void {
    this.connections.present(certificate);
  }

  /** Ends requests under way and their retries. */
  close(): void {
    this.isClosed = true;
    this.connections.close();
  }

  private async attempt(request: VaultRequest, signal: AbortSignal): Promise<VaultAnswer> {
    const began = performance.now();
    const { path } = request;
    const duration = (): number => Math.round(performance.now() - began);
    try {
      const answer = await this.ask(request, signal);
      const names = keyNamesIn(answer).slice(0, MAX_LOGGED_KEYS);
      const keys = names.map((name) => redactSecrets(name, secretsOf(request)));
      log.debug({ path, status: answer.status, duration: duration(), keys }, 'asked Vault');
      return answer;
    } catch (error) {
      log.debug({ path, duration: duration(), error }, 'asked Vault in vain');
      throw error;
    }
  }

  private async ask(request: VaultRequest, signal: AbortSignal): Promise<VaultAnswer> {
    const { path, token, body } = request;
    // Vault Agent may require it, as protection against requests that a web page forged.
    const headers: Record<string, string> = { 'X-Vault-Request': 'true' };
    if (token !== undefined) headers['X-Vault-Token'] = token;
    const options = { headers, signal };
    const { vault } = this;
    try {
      const answered = body ? vault.write(path, body, options) : vault.read(path, options);
      return answerOf(200, await answered, secretsOf(request));
    } catch (error) {
      const { statusCode, body: said } = fieldsOf(fieldsOf(error)['response']);
      if (typeof statusCode !== 'number') throw error;
      return answerOf(statusCode, said, secretsOf(request));
    }
  }
}

/** Secrets that an answer may echo. */
function secretsOf({ token, secrets = [] }: VaultRequest): readonly string[] {
  return token === undefined ? secrets : [token, ...secrets];
}

/** @throws VaultError VAULT_SEALED; Error for an answer worth a retry */
function soundAnswer(answer: VaultAnswer): VaultAnswer {
  const { status, reasons } = answer;
  if (status === 200 || (status >= 400 && status < 500 && status !== 429)) return answer;
  const error = new Error(`Vault answered ${status}: ${reasons}`);
  if (/\bsealed\b/i.test(reasons)) throw new VaultError('VAULT_SEALED', 'Vault is sealed.', error);
  throw error;
}
