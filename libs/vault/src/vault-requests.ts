// Owns requests to Vault through node-vault, the only file that knows it: their bounds, their repetition and their log.
import { setTimeout as sleep } from 'node:timers/promises';
import type NodeVault from 'node-vault';
import { HttpClient, type ClientCertificate } from '@tessera/http-client';
import { loggerFor } from '@tessera/logging';
import { answerOf, fieldsOf, keyNamesIn, type VaultAnswer } from './answer.js';
import { redactSecrets } from './redact-secrets.js';
import { transportOver } from './transport.js';
import { unavailable, VaultError } from './vault-error.js';

const log = loggerFor('vault');

const ATTEMPTS = 3;
const FIRST_PAUSE_MS = 50;
/** In one line of the log. */
const MOST_NAMES = 100;

export interface RequestOptions {
  /** `https://vault.example.org:8200` */
  readonly uri: string;
  readonly namespace: string;
  /** Milliseconds for an answer, repeated attempts included. */
  readonly timeout: number;
  /** PEM of the CAs of Vault's certificate; absent: the public ones. */
  readonly ca: string | undefined;
}

export interface VaultRequest {
  /** Encoded, without `/v1/`. */
  readonly path: string;
  readonly token?: string;
  /** Makes it a POST, which is sent but once. */
  readonly body?: object;
  /** What of the body nobody else may see. */
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
      debug: () => {}, // its own writes whole requests, for whoever sets DEBUG
    });
    // Where these are not given, node-vault takes them from the environment.
    Object.assign(vault, { token: '', namespace, pathPrefix: '' });
    return new VaultRequests(vault, connections, timeout);
  }

  /**
   * The answer, where it is about what was asked; of status 200 or 4xx.
   *
   * @throws VaultError VAULT_UNAVAILABLE, VAULT_SEALED
   */
  async send(request: VaultRequest): Promise<VaultAnswer> {
    const signal = AbortSignal.timeout(this.timeout);
    const attempts = request.body === undefined ? ATTEMPTS : 1;
    for (let attempt = 1; ; attempt += 1) {
      try {
        return soundAnswer(await this.attempt(request, signal));
      } catch (error) {
        if (error instanceof VaultError) throw error;
        if (signal.aborted) throw unavailable(new Error(`no answer within ${this.timeout} ms`));
        if (attempt === attempts || this.isClosed) throw unavailable(error);
        const pause = FIRST_PAUSE_MS * 2 ** (attempt - 1);
        await sleep(pause, undefined, { signal }).catch(() => {});
      }
    }
  }

  present(certificate: ClientCertificate): void {
    this.connections.present(certificate);
  }

  /** Ends what is under way, and what would be tried again. */
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
      const names = keyNamesIn(answer).slice(0, MOST_NAMES);
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
    // An agent in front of Vault takes it for the sign that no other page sent the request.
    const headers: Record<string, string> = { 'X-Vault-Request': 'true' };
    if (token !== undefined) headers['X-Vault-Token'] = token;
    const method = body === undefined ? 'GET' : 'POST';
    const options = { path: `/${path}`, method, headers, json: body, signal };
    try {
      return answerOf(200, await this.vault.request(options), secretsOf(request));
    } catch (error) {
      const { statusCode, body: said } = fieldsOf(fieldsOf(error)['response']);
      if (typeof statusCode !== 'number') throw error;
      return answerOf(statusCode, said, secretsOf(request));
    }
  }
}

/** What an answer may echo and nobody may see. */
function secretsOf({ token, secrets = [] }: VaultRequest): readonly string[] {
  return token === undefined ? secrets : [token, ...secrets];
}

/** @throws VaultError VAULT_SEALED; Error where it says nothing about what was asked */
function soundAnswer(answer: VaultAnswer): VaultAnswer {
  const { status, reasons } = answer;
  if (status === 200 || (status >= 400 && status < 500 && status !== 429)) return answer;
  const fault = new Error(`Vault answered ${status}: ${reasons}`);
  if (/\bsealed\b/i.test(reasons)) throw new VaultError('VAULT_SEALED', 'Vault is sealed.', fault);
  throw fault;
}
