// A node of the SSO application on a machine of its own.
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from '../../support/free-port.js';
import { http } from '../../support/http.js';
import { Program } from '../../support/process.js';
import { TcpProxy } from '../../support/tcp-proxy.js';
import { until } from '../../support/until.js';
import type { Address, Machine, NodeMember, Wire } from '../target.js';
import { USERS } from '../users.js';
import type { Network, Place } from './network.js';

const FAKE_TIME = '/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1';
export const TOKEN = 'a-management-token-of-this-run';

export interface NodeOptions {
  /** A built checkout. */
  readonly build: string;
  /** For its settings. */
  readonly folder: string;
  readonly network: Network;
  readonly place: Place;
  /** Where its connections to the database go. */
  readonly database: Pick<Address, 'host' | 'port'>;
  readonly proxyPort: number;
  readonly sessionLifetime: number;
}

export class SsoMember implements NodeMember {
  private program: Program | undefined;
  private reloads = 0;
  /** What its last process wrote, for the report of a failure. */
  lastErrors = '';

  private constructor(
    private readonly options: NodeOptions,
    private readonly proxy: TcpProxy,
    readonly port: number,
    readonly managementPort: number,
  ) {}

  static async create(options: NodeOptions, ports: readonly [number, number]): Promise<SsoMember> {
    const proxy = new TcpProxy(options.database, options.network.ownAddress);
    await proxy.set('open');
    await mkdir(join(options.folder, 'config'), { recursive: true });
    return new SsoMember(options, proxy, ...ports);
  }

  /** The public and the management port. */
  static async ports(): Promise<readonly [number, number]> {
    return [await freePort(), await freePort()];
  }

  get name(): string {
    return this.options.place.name;
  }

  get wire(): Wire {
    return {
      cut: () => this.proxy.cut(),
      delay: (ms) => {
        this.proxy.replyDelay = ms;
      },
    };
  }

  get machine(): Machine {
    const { network, place } = this.options;
    const { canFail } = network;
    return {
      partition: canFail ? () => network.partition(place) : undefined,
      lose: canFail ? (percent) => network.lose(place, percent) : undefined,
      reconnect: () => network.reconnect(place),
      fillDisk: undefined,
      freeDisk: async () => {},
      slowDisk: undefined,
      hastenDisk: async () => {},
    };
  }

  start(): Promise<void> {
    return this.run({});
  }

  async kill(): Promise<void> {
    await this.program?.kill();
  }

  async stop(): Promise<void> {
    await this.program?.stop();
  }

  pause(): void {
    this.program?.signal('SIGSTOP');
  }

  resume(): void {
    this.program?.signal('SIGCONT');
  }

  get restartAhead(): NodeMember['restartAhead'] {
    if (!existsSync(FAKE_TIME)) return undefined;
    return async (seconds) => {
      await this.stop();
      // The monotonic clock stays as it is: it is no clock of the day.
      const clock = { FAKETIME: `+${seconds}s`, FAKETIME_DONT_FAKE_MONOTONIC: '1' };
      await this.run({ LD_PRELOAD: FAKE_TIME, ...clock });
    };
  }

  async reload(): Promise<void> {
    this.reloads += 1;
    await this.writeSettings();
    const headers = { authorization: `Bearer ${TOKEN}` };
    await http('POST', this.url, '/actuator/refresh', { headers });
  }

  async close(): Promise<void> {
    this.resume();
    await this.stop();
    await this.proxy.close();
  }

  private get url(): string {
    return `http://${this.options.place.address}:${this.port}/cas`;
  }

  private async run(env: Readonly<Record<string, string>>): Promise<void> {
    const { build, folder, place } = this.options;
    await this.writeSettings();
    const main = join(build, 'dist/apps/sso/src/main.js');
    const command = [...place.prefix, process.execPath, '--disable-sigusr1', main];
    const program = Program.run([...command, ...this.args], {
      cwd: folder,
      env: { MANAGEMENT_PORT: String(this.managementPort), ...env },
    });
    this.program = program;
    void program.ended.then(() => (this.lastErrors = program.stderr + program.stdout));
    await until(`node ${this.name} is ready`, async () => {
      if (!program.isRunning) throw new Error(program.stderr + program.stdout);
      const ready = http('GET', this.url, '/health/ready');
      return (await ready.catch(() => undefined))?.status === 200;
    });
  }

  private get args(): readonly string[] {
    const { network, place, proxyPort } = this.options;
    const { ownAddress } = network;
    return [
      '--profiles.active=dev',
      '--sso.modules=login,rest,rest-services',
      `--database.url=postgresql://postgres@${ownAddress}:${this.proxy.port}/tessera?sslmode=disable`,
      `--sso.host=${place.address}`,
      `--sso.port=${this.port}`,
      `--sso.base-url=http://${ownAddress}:${proxyPort}/cas`,
      `--sso.proxies.trusted=${ownAddress}`,
      `--management.host=${place.address}`,
      `--sso.management.token=${TOKEN}`,
      '--sso.services.import=',
      `--sso.authentication.static.users=${USERS.map((user) => `${user}::Mellon`).join(',')}`,
      // For logout messages and callbacks.
      `--sso.outgoing.allowed-addresses=${ownAddress}`,
      '--sso.rate-limit.login-form=0',
      '--logging.level.root=error',
    ];
  }

  /** The lifetime of service tickets changes with each reload. */
  private async writeSettings(): Promise<void> {
    const { folder, sessionLifetime } = this.options;
    const seconds = Math.round(sessionLifetime / 1_000);
    const settings = {
      'sso.tickets.st.lifetime': `${10 + (this.reloads % 2)}s`,
      'sso.tickets.tgt.max-lifetime': `${seconds}s`,
      'sso.tickets.tgt.idle-timeout': `${seconds}s`,
    };
    await writeFile(join(folder, 'config/sso.yml'), JSON.stringify(settings));
  }
}
