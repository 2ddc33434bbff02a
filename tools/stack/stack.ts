// Owns the services of docker-compose.yml as processes: what starts after what, and a common end.

import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { Child } from './child.ts';
import { readComposeFile, type Service } from './compose-file.ts';
import { Places } from './places.ts';
import { startPostgres } from './postgres.ts';
import { startVault } from './vault.ts';

const POSTGRES_PORT = 5432;
const VAULT_PORT = 8200;

export interface StackOptions {
  /** Of the checkout. */
  readonly root: string;
  /** Of Vault. */
  readonly vaultProgram: string;
  /** Whether ports are those of the compose file; else any that are free. */
  readonly publishedPorts: boolean;
}

export class Stack {
  readonly #options: StackOptions;
  readonly #services: readonly Service[];
  readonly #places: Places;
  readonly #folder = mkdtempSync(join(tmpdir(), 'tessera-stack-'));
  readonly #started = new Map<string, Promise<void>>();
  /** In the order of their start. */
  readonly #children: Child[] = [];
  readonly #failure = Promise.withResolvers<never>();
  #isEnding = false;

  private constructor(options: StackOptions, services: readonly Service[], places: Places) {
    this.#options = options;
    this.#services = services;
    this.#places = places;
    // PostgreSQL may have to pass through as another user.
    chmodSync(this.#folder, 0o755);
    this.#failure.promise.catch(() => {});
  }

  static async prepare(options: StackOptions): Promise<Stack> {
    const services = readComposeFile(join(options.root, 'docker-compose.yml'), options.root);
    return new Stack(options, services, await Places.choose(services, options.publishedPorts));
  }

  /** Rejects when a service dies that was to run on. */
  get died(): Promise<never> {
    return this.#failure.promise;
  }

  /** Starts all, each as soon as those it depends on are ready. @throws Error naming who could not be started */
  async start(): Promise<void> {
    await Promise.all(this.#services.map(({ name }) => this.#ready(name)));
  }

  /** Variables of a service, as it was given them. */
  environmentOf(name: string): Readonly<Record<string, string>> {
    return this.#places.environmentOf(this.#service(name));
  }

  /** Ends all, the last that started first; those too that start meanwhile. */
  async end(): Promise<void> {
    this.#isEnding = true;
    await this.#endChildren();
    await Promise.allSettled(this.#started.values());
    await this.#endChildren();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  async #endChildren(): Promise<void> {
    for (let child = this.#children.pop(); child !== undefined; child = this.#children.pop()) {
      // What PostgreSQL takes for: without waiting for its clients.
      await child.end(child.name === 'postgres' ? 'SIGINT' : 'SIGTERM');
    }
  }

  #service(name: string): Service {
    const service = this.#services.find((each) => each.name === name);
    if (service === undefined) throw new Error(`docker-compose.yml has no service ${name}`);
    return service;
  }

  #ready(name: string): Promise<void> {
    const known = this.#started.get(name);
    if (known !== undefined) return known;
    const service = this.#service(name);
    const ready = Promise.all(service.dependsOn.map((on) => this.#ready(on))).then(() =>
      this.#isEnding ? undefined : this.#startOne(service),
    );
    this.#started.set(name, ready);
    return ready;
  }

  async #startOne(service: Service): Promise<void> {
    const { name, image } = service;
    const env = this.#places.environmentOf(service);
    const folder = join(this.#folder, name);
    const keep = (child: Child): void => void this.#children.push(child);
    if (image.startsWith('postgres:')) {
      const port = this.#places.port(name, POSTGRES_PORT);
      await startPostgres({ name, env, port, folder }, keep);
    } else if (image.startsWith('hashicorp/vault:')) {
      const { root, vaultProgram: program } = this.#options;
      const port = this.#places.port(name, VAULT_PORT);
      await startVault({ name, env, port, root, program }, keep);
    } else {
      mkdirSync(folder);
      await this.#startNode(service, env, folder);
    }
    const child = this.#children.findLast((each) => each.name === name);
    if (child !== undefined && !service.isOneShot) this.#watch(service, child);
  }

  async #startNode(
    { name, command, isOneShot }: Service,
    env: Service['environment'],
    cwd: string,
  ): Promise<void> {
    const { root } = this.#options;
    // Options of Node come before the program.
    const main = command.findIndex((word) => !word.startsWith('-'));
    const args = [...nodeOptions(root), ...command.with(main, join(root, command[main] ?? ''))];
    const child = new Child({ name, program: process.execPath, args, env, cwd });
    this.#children.push(child);
    if (isOneShot) return child.succeeds();
    // Left open, the connection would keep it from ending at once.
    const headers = { connection: 'close' };
    await child.isReady(async () => (await fetch(env['HEALTH_URL'] ?? '', { headers })).ok);
  }

  #watch(service: Service, child: Child): void {
    void child.ended.then((how) => {
      if (this.#isEnding) return;
      const end = `${child.name} ended with ${how}`;
      if (service.restarts && how !== 'code 0') {
        console.error(`stack: ${end}; starting it again`);
        this.#startOne(service).catch(this.#failure.reject);
      } else {
        this.#failure.reject(new Error(end));
      }
    });
  }
}

/** The options that Node has in the image, by the entry of the Dockerfile. */
function nodeOptions(root: string): readonly string[] {
  const dockerfile = readFileSync(join(root, 'Dockerfile'), 'utf8');
  const [, entry = '[]'] = /^ENTRYPOINT (.*)$/m.exec(dockerfile) ?? [];
  return (JSON.parse(entry) as readonly string[]).slice(1);
}
