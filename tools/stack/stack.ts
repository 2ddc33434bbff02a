// Runs the services of a compose file as processes: start in order of dependencies, common stop.

import { chmodSync, mkdirSync, mkdtempSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { Child } from './child.ts';
import { readComposeFile, type Service } from './compose-file.ts';
import { endPostmasters, HA_STARTS } from './high-availability.ts';
import { LocalAddresses } from './local-addresses.ts';
import { startPostgres } from './postgres.ts';
import { startVault } from './vault.ts';

const POSTGRES_PORT = 5432;
const VAULT_PORT = 8200;

export interface StackOptions {
  /** The checkout. */
  readonly root: string;
  /** Name of the compose file in it. */
  readonly file: string;
  /** Path of Vault's program. */
  readonly vaultProgram: string;
  /** Whether to use the ports of the compose file; else free ones. */
  readonly publishedPorts: boolean;
}

export class Stack {
  readonly #options: StackOptions;
  readonly #services: readonly Service[];
  readonly #addresses: LocalAddresses;
  readonly #folder = mkdtempSync(join(tmpdir(), 'tessera-stack-'));
  readonly #started = new Map<string, Promise<void>>();
  /** In the order of their start. */
  readonly #children: Child[] = [];
  readonly #failure = Promise.withResolvers<never>();
  #isStopping = false;

  private constructor(
    options: StackOptions,
    services: readonly Service[],
    addresses: LocalAddresses,
  ) {
    this.#options = options;
    this.#services = services;
    this.#addresses = addresses;
    // PostgreSQL may run as another user and needs access.
    chmodSync(this.#folder, 0o755);
    this.#failure.promise.catch(() => {});
  }

  static async prepare(options: StackOptions): Promise<Stack> {
    const services = readComposeFile(join(options.root, options.file), options.root);
    return new Stack(
      options,
      services,
      await LocalAddresses.choose(services, options.publishedPorts),
    );
  }

  /** Rejects when a service ends unexpectedly. */
  get failure(): Promise<never> {
    return this.#failure.promise;
  }

  /** Starts all services, each as soon as its dependencies are ready. @throws Error with the service that failed */
  async start(): Promise<void> {
    await Promise.all(this.#services.map(({ name }) => this.#ready(name)));
  }

  /** The variables that a service gets. */
  environmentOf(name: string): Readonly<Record<string, string>> {
    return this.#addresses.environmentOf(this.#service(name));
  }

  /** Stops all services in reverse order, including those that are just starting. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    await this.#stopChildren();
    await Promise.allSettled(this.#started.values());
    await this.#stopChildren();
    endPostmasters(this.#folder);
    // PostgreSQL and its copy programs may still write while they end.
    await rm(this.#folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  }

  async #stopChildren(): Promise<void> {
    for (let child = this.#children.pop(); child !== undefined; child = this.#children.pop()) {
      // SIGINT makes PostgreSQL stop without waiting for its clients, and an application without its drain time.
      await child.stop('SIGINT');
    }
  }

  #service(name: string): Service {
    const service = this.#services.find((each) => each.name === name);
    if (service === undefined) throw new Error(`${this.#options.file} has no service ${name}`);
    return service;
  }

  #ready(name: string): Promise<void> {
    const known = this.#started.get(name);
    if (known !== undefined) return known;
    const service = this.#service(name);
    const ready = Promise.all(service.dependsOn.map((on) => this.#ready(on))).then(() =>
      this.#isStopping ? undefined : this.#startOne(service),
    );
    this.#started.set(name, ready);
    return ready;
  }

  async #startOne(service: Service): Promise<void> {
    const { name, image } = service;
    const env = this.#addresses.environmentOf(service);
    const folder = join(this.#folder, name);
    const keep = (child: Child): void => void this.#children.push(child);
    const start = Object.entries(HA_STARTS).find(([prefix]) => image.startsWith(prefix))?.[1];
    if (start !== undefined) {
      await start({ service, env, addresses: this.#addresses, folder }, keep);
    } else if (image.startsWith('postgres:')) {
      const port = this.#addresses.port(name, POSTGRES_PORT);
      await startPostgres({ name, env, port, folder }, keep);
    } else if (image.startsWith('hashicorp/vault:')) {
      const { root, vaultProgram: program } = this.#options;
      const port = this.#addresses.port(name, VAULT_PORT);
      await startVault({ name, env, port, root, program }, keep);
    } else {
      mkdirSync(folder, { recursive: true });
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
    // Node's options precede the program.
    const main = command.findIndex((word) => !word.startsWith('-'));
    // In a container nobody outside reaches the management server either; here its port could be in use.
    const own = { ...env, MANAGEMENT_PORT: '0' };
    const args = [...nodeOptions(root), ...command.with(main, join(root, command[main] ?? ''))];
    const child = new Child({ name, program: process.execPath, args, env: own, cwd });
    this.#children.push(child);
    if (isOneShot) return child.untilSuccess();
    // An open connection would delay the shutdown.
    const headers = { connection: 'close' };
    await child.untilReady(async () => (await fetch(env['HEALTH_URL'] ?? '', { headers })).ok);
  }

  #watch(service: Service, child: Child): void {
    void child.ended.then((how) => {
      if (this.#isStopping) return;
      const end = `${child.name} ended with ${how}`;
      const isFailure = how !== 'code 0';
      if (service.restart === 'always' || (service.restart === 'on-failure' && isFailure)) {
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
