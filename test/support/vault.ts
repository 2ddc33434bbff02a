// Runs a real Vault (core and HTTP handler, in memory) as a process, on a free port of 127.0.0.1. If it is not built
// and Go is missing, the tests that need it are skipped with a message.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { beforeAll, describe, test } from '@jest/globals';
import { buildVault, BUILD_TIMEOUT_MS, isVaultAvailable } from './vault-dev/program.js';

const READY = /^vaultdev ready (?<url>\S+) .*unseal-key=(?<unsealKey>\S+)/;

/** `describe` if Vault is available. Otherwise one test reports that the tests are skipped. */
export function describeWithVault(title: string, tests: () => void): void {
  if (isVaultAvailable()) {
    describe(title, () => {
      beforeAll(buildVault, BUILD_TIMEOUT_MS);
      tests();
    });
    return;
  }
  test(`left out without Go: ${title}`, () => {
    process.stderr.write(`Go is not installed: the tests of "${title}" are left out\n`);
  });
}

export class Vault {
  static readonly rootToken = 'root-of-all-tests';

  private appRoleMount: Promise<unknown> | undefined;

  private constructor(
    private readonly child: ChildProcess,
    readonly url: string,
    private readonly unsealKey: string,
    private readonly version: 1 | 2,
  ) {}

  /** @param version of the key-value engine at `secret` */
  static async start(version: 1 | 2 = 2): Promise<Vault> {
    const args = ['-addr', '127.0.0.1:0', '-token', Vault.rootToken];
    if (version === 1) args.push('-kv1');
    const child = spawn(await buildVault(), args, { stdio: ['ignore', 'pipe', 'inherit'] });
    for await (const line of createInterface(child.stdout)) {
      const { url, unsealKey } = READY.exec(line)?.groups ?? {};
      if (url !== undefined && unsealKey !== undefined) {
        return new Vault(child, url, unsealKey, version);
      }
    }
    throw new Error('Vault ended instead of listening');
  }

  get port(): number {
    return Number(new URL(this.url).port);
  }

  /** Writes a secret below `secret`. @param data an object, or its JSON, which is sent as it is */
  async put(path: string, data: object | string): Promise<void> {
    const json = typeof data === 'string' ? data : JSON.stringify(data);
    if (this.version === 2) await this.send('POST', `secret/data/${path}`, `{"data":${json}}`);
    else await this.send('POST', `secret/${path}`, json);
  }

  async remove(path: string): Promise<void> {
    await this.send('DELETE', `secret/${this.version === 2 ? 'data/' : ''}${path}`);
  }

  seal(): Promise<unknown> {
    return this.send('PUT', 'sys/seal');
  }

  unseal(): Promise<unknown> {
    return this.send('PUT', 'sys/unseal', JSON.stringify({ key: this.unsealKey }));
  }

  /** Creates a token with a new policy. @param rules in HCL: `path "secret/*" { capabilities = ["read"] }` */
  async tokenFor(policy: string, rules: string): Promise<string> {
    await this.send('PUT', `sys/policies/acl/${policy}`, JSON.stringify({ policy: rules }));
    const request = JSON.stringify({ policies: [policy] });
    const { auth } = (await this.send('POST', 'auth/token/create', request)) as TokenAnswer;
    return auth.client_token;
  }

  /** Creates an AppRole. @param settings of the role, as in the API of Vault */
  async appRole(
    name: string,
    settings: Readonly<Record<string, string>>,
  ): Promise<{ readonly roleId: string; readonly secretId: string }> {
    const role = `auth/approle/role/${name}`;
    await (this.appRoleMount ??= this.send('POST', 'sys/auth/approle', '{"type":"approle"}'));
    await this.send('POST', role, JSON.stringify(settings));
    const { data: id } = (await this.send('GET', `${role}/role-id`)) as RoleAnswer;
    const { data: secret } = (await this.send('POST', `${role}/secret-id`, '{}')) as RoleAnswer;
    return { roleId: id.role_id ?? '', secretId: secret.secret_id ?? '' };
  }

  /** Sends any request with the root token. @returns the JSON of the answer */
  async send(method: string, path: string, body?: string): Promise<unknown> {
    const headers = { 'X-Vault-Token': Vault.rootToken };
    const options = { method, headers, ...(body !== undefined && { body }) };
    const answer = await fetch(`${this.url}/v1/${path}`, options);
    const text = await answer.text();
    if (!answer.ok) throw new Error(`Vault answered ${answer.status} to ${path}: ${text}`);
    return text === '' ? undefined : JSON.parse(text);
  }

  async stop(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const ended = once(this.child, 'close');
    this.child.kill();
    await ended;
  }
}

interface TokenAnswer {
  readonly auth: { readonly client_token: string };
}

interface RoleAnswer {
  readonly data: { readonly role_id?: string; readonly secret_id?: string };
}
