// Runs applications as child processes: starts them, restarts those that die, forwards signals and ends them together.
import { fork, type ChildProcess } from 'node:child_process';
import {
  type EmbeddedDatabaseAnswer,
  handleSighup,
  isEmbeddedDatabaseRequest,
  NO_DEBUGGER_BY_SIGNAL,
  onNpmExit,
} from '@tessera/runtime';
import type { ReadyMessage } from '@tessera/server';

/** The announcement of each application, by its name. */
export type Announcements = ReadonlyMap<string, ReadyMessage>;

export interface Member {
  readonly name: string;
  /** Path of the program. */
  readonly main: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/**
 * Half of Node's young generation, which saves 90 MB at the same throughput. And no pretenuring: after a slow moment, it
 * creates short-lived objects in the old generation for good. See docs/adr/0030.
 */
const HEAP_OPTIONS = ['--max-semi-space-size=8', '--no-allocation-site-pretenuring'];
const RESTART_DELAY_MS = 1_000;
/** Applications end within 10 s of SIGINT, and of SIGTERM after a drain time of at most 1 min; then they are stuck. */
const STOP_TIMEOUT_MS = { SIGINT: 11_000, SIGTERM: 71_000 };

export class Fleet {
  private readonly children = new Map<string, ChildProcess>();
  private readonly announcements = new Map<string, ReadyMessage>();
  private readonly listening = new WeakSet<ChildProcess>();
  /** Children that got a reload request before they listened. */
  private readonly pendingReload = new WeakSet<ChildProcess>();
  private readonly restarts = new Set<NodeJS.Timeout>();
  private readonly ended = Promise.withResolvers<number>();
  private isStopping = false;
  private exitCode = 0;

  /**
   * @param onReady called once, when all applications accept requests
   * @param answer to an application that requests the embedded PostgreSQL
   */
  constructor(
    private readonly members: readonly Member[],
    private readonly args: readonly string[],
    private readonly onReady: (announcements: Announcements) => void,
    private readonly answer: () => Promise<EmbeddedDatabaseAnswer>,
  ) {}

  /** Returns the exit code when all have ended: 0, or the code of the first application that could not start. */
  run(): Promise<number> {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.on(signal, () => this.stop(signal));
    }
    const sighup = handleSighup();
    sighup.onTerminalClosed(() => this.stop());
    sighup.onReload(() => this.reload());
    onNpmExit(() => this.stop());
    for (const member of this.members) this.start(member);
    return this.ended.promise;
  }

  private start(member: Member): void {
    const { main, env } = member;
    const execArgv = [NO_DEBUGGER_BY_SIGNAL, ...HEAP_OPTIONS];
    const child = fork(main, this.args, { execArgv, env });
    this.children.set(member.name, child);
    child.on('message', (message) => {
      if (isEmbeddedDatabaseRequest(message)) void this.answerRequest(child);
      else this.handleAnnouncement(member, child, message as ReadyMessage);
    });
    child.on('exit', (code, signal) =>
      this.handleExit(member, code ?? 1, signal ?? `code ${code}`),
    );
  }

  /** The child may end before this returns. */
  private async answerRequest(child: ChildProcess): Promise<void> {
    const answer = await this.answer();
    if (child.connected) child.send(answer, () => {});
  }

  private handleAnnouncement(
    { name }: Member,
    child: ChildProcess,
    announcement: ReadyMessage,
  ): void {
    this.listening.add(child);
    if (this.pendingReload.delete(child)) child.kill('SIGHUP');
    const isFirst = !this.announcements.has(name);
    this.announcements.set(name, announcement);
    if (isFirst && this.announcements.size === this.members.length) {
      this.onReady(this.announcements);
    }
    this.stopAfterFailedStart();
  }

  private handleExit(member: Member, code: number, cause: string): void {
    this.children.delete(member.name);
    if (!this.isStopping && this.announcements.has(member.name)) {
      process.stderr.write(`${member.name} ended (${cause}); starting it again\n`);
      this.startLater(member);
    } else if (!this.isStopping) {
      this.exitCode ||= code || 1;
      this.stopAfterFailedStart();
    }
    this.finishAfterLast();
  }

  private startLater(member: Member): void {
    const restart = setTimeout(() => {
      this.restarts.delete(restart);
      this.start(member);
    }, RESTART_DELAY_MS);
    this.restarts.add(restart);
  }

  /** Waits until the others have started or failed, so that their errors are printed, too. */
  private stopAfterFailedStart(): void {
    const starting = [...this.children.keys()].some((name) => !this.announcements.has(name));
    if (this.exitCode !== 0 && !starting) this.stop();
  }

  private stop(signal: keyof typeof STOP_TIMEOUT_MS = 'SIGINT'): void {
    setTimeout(() => this.signal('SIGKILL'), STOP_TIMEOUT_MS[signal]).unref();
    this.isStopping = true;
    for (const restart of this.restarts) clearTimeout(restart);
    this.signal(signal);
    this.finishAfterLast();
  }

  /** SIGHUP would end a process that is still starting. */
  private reload(): void {
    for (const child of this.children.values()) {
      if (this.listening.has(child)) child.kill('SIGHUP');
      else this.pendingReload.add(child);
    }
  }

  private signal(name: NodeJS.Signals): void {
    for (const child of this.children.values()) child.kill(name);
  }

  private finishAfterLast(): void {
    if (this.isStopping && this.children.size === 0) this.ended.resolve(this.exitCode);
  }
}
