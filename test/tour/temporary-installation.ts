// An empty directory in which a test runs the commands of the README, with a client for the started applications.
import { cp, readdir, symlink } from 'node:fs/promises';
import { resolve } from 'node:path';
import { makeFolder, removeFolder } from '../support/folders.js';
import { freePort } from '../support/free-port.js';
import { http, type Reply } from '../support/http.js';
import { endPrograms, Program, type ProgramOptions } from '../support/process.js';
import { processesOf } from '../support/process-table.js';
import { until } from '../support/until.js';

export const SERVICE = 'http://localhost:9000/app';

export class TemporaryInstallation {
  private constructor(
    readonly folder: string,
    readonly ssoPort: number,
    readonly configPort: number,
  ) {}

  /** Creates the directory, with the config repository of a checkout. */
  static async create(): Promise<TemporaryInstallation> {
    const folder = await makeFolder();
    await cp('config-repo', `${folder}/config-repo`, { recursive: true });
    return new TemporaryInstallation(folder, await freePort(), await freePort());
  }

  async remove(): Promise<void> {
    await endPrograms();
    await removeFolder(this.folder);
  }

  /** Base URL of the SSO application. */
  get sso(): string {
    return `http://127.0.0.1:${this.ssoPort}/cas`;
  }

  get configServer(): string {
    return `http://127.0.0.1:${this.configPort}`;
  }

  /** Runs the command behind `npm start`. */
  spawnStart(...settings: readonly string[]): Program {
    return this.spawn(settings, { isGroup: true });
  }

  /** The same in a pseudo-terminal, which closes when the program is killed. */
  spawnStartAtTerminal(): Program {
    return this.spawn([], { isAtTerminal: true });
  }

  /** Runs `npm start` itself, after copying what npm needs. */
  async spawnNpmStart(): Promise<Program> {
    await cp('package.json', `${this.folder}/package.json`);
    for (const name of ['dist', 'node_modules']) {
      await symlink(resolve(name), `${this.folder}/${name}`);
    }
    return Program.run(['npm', 'start', '--', ...this.addressSettings], { cwd: this.folder });
  }

  /** Runs the command behind `npm start` in the background of a shell that exits at once. */
  spawnStartDetached(): Program {
    const command = Program.command('cli', ['start', ...this.addressSettings]);
    return Program.run(['sh', '-c', '"$@" &', 'sh', ...command], {
      cwd: this.folder,
      isGroup: true,
    });
  }

  /** Runs the command behind `npm run start:config-server`. */
  spawnConfigServer(...settings: readonly string[]): Program {
    const port = `--config-server.port=${this.configPort}`;
    const args = ['start', 'config-server', port, ...settings];
    return Program.start('cli', args, { cwd: this.folder });
  }

  private spawn(settings: readonly string[], options: ProgramOptions): Program {
    const args = ['start', ...this.addressSettings, ...settings];
    return Program.start('cli', args, { cwd: this.folder, ...options });
  }

  private get addressSettings(): readonly string[] {
    return [
      `--sso.port=${this.ssoPort}`,
      `--sso.base-url=${this.sso}`,
      `--config-server.port=${this.configPort}`,
    ];
  }

  /** Runs the command behind `npm start` and waits for the welcome message. */
  async start(): Promise<Program> {
    const program = this.spawnStart();
    await program.waitForOutput(/Ctrl-C stops everything\.\n/);
    return program;
  }

  /** Runs another command of `tessera` and waits for its exit. */
  async run(args: readonly string[], input = ''): Promise<Program> {
    const command = [...args, '--profiles.active=dev'];
    const program = Program.start('cli', command, { cwd: this.folder, input });
    await program.ended;
    return program;
  }

  /** Whether the folder of the database contains this entry. */
  async databaseHas(name: string): Promise<boolean> {
    const names = await readdir(`${this.folder}/.data/postgres`).catch((): string[] => []);
    return names.includes(name);
  }

  async untilNothingRuns(): Promise<void> {
    await until('nothing runs any more', () => processesOf(this.folder).length === 0);
  }

  postLogin(username = 'casuser', password = 'Mellon'): Promise<Reply> {
    return http('POST', this.sso, '/v1/tickets', { form: { username, password } });
  }

  /** Logs in. @returns the id of the TGT, from the Location header */
  async login(username?: string, password?: string): Promise<string> {
    const { status, headers, body } = await this.postLogin(username, password);
    if (status !== 201) throw new Error(`${status} instead of a login: ${body}`);
    return String(headers.location).slice(`${this.sso}/v1/tickets/`.length);
  }

  /** @returns the body of the answer, which is an ST on success */
  async grant(tgt: string, service = SERVICE): Promise<string> {
    return (await http('POST', this.sso, `/v1/tickets/${tgt}`, { form: { service } })).body;
  }

  validate(ticket: string, service = SERVICE): Promise<Reply> {
    const query = `service=${encodeURIComponent(service)}&ticket=${ticket}`;
    return http('GET', this.sso, `/p3/serviceValidate?${query}`);
  }

  async statusOf(tgt: string): Promise<number> {
    return (await http('GET', this.sso, `/v1/tickets/${tgt}`)).status;
  }

  async logout(tgt: string): Promise<number> {
    return (await http('DELETE', this.sso, `/v1/tickets/${tgt}`)).status;
  }
}
