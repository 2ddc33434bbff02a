// Owns applications as child processes: their start, a new start for one that dies, what is passed on to them, and a common
// end that leaves nothing behind.
import { fork, type ChildProcess } from 'node:child_process';
import { handleSighup, NO_DEBUGGER_BY_SIGNAL, onNpmExit } from '@tessera/runtime';
import type { ReadyMessage } from '@tessera/server';

/** What each application has announced, by its name. */
export type Announcements = ReadonlyMap<string, ReadyMessage>;

export interface Member {
  readonly name: string;
  /** Path of the program. */
  readonly main: string;
  /** Of Node, for this program. */
  readonly execArgv: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
}

const RESTART_DELAY = 1_000;
/** Applications end within 10 s of being told; one that does not is stuck. */
const STOP_LIMIT = 11_000;

export class Fleet {
  private readonly children = new Map<string, ChildProcess>();
  private readonly announcements = new Map<string, ReadyMessage>();
  private readonly listening = new WeakSet<ChildProcess>();
  /** Children that were asked to reload before they could hear it. */
  private readonly asked = new WeakSet<ChildProcess>();
  private readonly restarts = new Set<NodeJS.Timeout>();
  private readonly over = Promise.withResolvers<number>();
  private stopping = false;
  private exitCode = 0;

  /** @param onReady called once, when all take requests */
  constructor(
    private readonly members: readonly Member[],
    private readonly args: readonly string[],
    private readonly onReady: (announcements: Announcements) => void,
  ) {}

  /** Returns the exit code when all have ended: 0, or that of the first that could not be started. */
  run(): Promise<number> {
    for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => this.stop());
    const hangUps = handleSighup();
    hangUps.onTerminalClosed(() => this.stop());
    hangUps.onReload(() => this.askToReload());
    onNpmExit(() => this.stop());
    for (const member of this.members) this.start(member);
    return this.over.promise;
  }

  private start(member: Member): void {
    const { main, env } = member;
    const execArgv = [NO_DEBUGGER_BY_SIGNAL, ...member.execArgv];
    const child = fork(main, this.args, { execArgv, env });
    this.children.set(member.name, child);
    child.on('message', (message) => this.announced(member, child, message as ReadyMessage));
    child.on('exit', (code, signal) => this.exited(member, code ?? 1, signal ?? `code ${code}`));
  }

  private announced({ name }: Member, child: ChildProcess, announcement: ReadyMessage): void {
    this.listening.add(child);
    if (this.asked.delete(child)) child.kill('SIGHUP');
    const isFirst = !this.announcements.has(name);
    this.announcements.set(name, announcement);
    if (isFirst && this.announcements.size === this.members.length) {
      this.onReady(this.announcements);
    }
    this.stopWhereOneFailed();
  }

  private exited(member: Member, code: number, how: string): void {
    this.children.delete(member.name);
    if (!this.stopping && this.announcements.has(member.name)) {
      process.stderr.write(`${member.name} ended (${how}); starting it again\n`);
      this.startLater(member);
    } else if (!this.stopping) {
      this.exitCode ||= code || 1;
      this.stopWhereOneFailed();
    }
    this.endAfterLast();
  }

  private startLater(member: Member): void {
    const restart = setTimeout(() => {
      this.restarts.delete(restart);
      this.start(member);
    }, RESTART_DELAY);
    this.restarts.add(restart);
  }

  /** Not before the others have started or failed: what is wrong with them is to be told in the same breath. */
  private stopWhereOneFailed(): void {
    const starting = [...this.children.keys()].some((name) => !this.announcements.has(name));
    if (this.exitCode !== 0 && !starting) this.stop();
  }

  private stop(): void {
    if (!this.stopping) setTimeout(() => this.signal('SIGKILL'), STOP_LIMIT).unref();
    this.stopping = true;
    for (const restart of this.restarts) clearTimeout(restart);
    this.signal('SIGTERM');
    this.endAfterLast();
  }

  /** A process that is just beginning would be ended by it. */
  private askToReload(): void {
    for (const child of this.children.values()) {
      if (this.listening.has(child)) child.kill('SIGHUP');
      else this.asked.add(child);
    }
  }

  private signal(name: NodeJS.Signals): void {
    for (const child of this.children.values()) child.kill(name);
  }

  private endAfterLast(): void {
    if (this.stopping && this.children.size === 0) this.over.resolve(this.exitCode);
  }
}
