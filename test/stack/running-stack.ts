// `npm run stack` as a process of its own, on free ports.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { signalAll, treeOf } from '../support/process-table.js';
import { until } from '../support/until.js';

const MAIN = 'tools/stack/main.ts';
const READY =
  /SSO API +http:\/\/localhost:(?<sso>\d+)\/cas\n.*config server +http:\/\/localhost:(?<config>\d+)\n/s;

export interface StackResult {
  readonly code: number | null;
  readonly output: string;
}

export class RunningStack {
  readonly ended: Promise<StackResult>;
  /** All it has started, and itself, as they stood then. */
  private pids: readonly number[] = [];
  private output = '';

  private constructor(private readonly child: ChildProcess) {
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => (this.output += text));
    }
    this.ended = once(child, 'close').then(([code]) => ({ code, output: this.output }));
  }

  /** @param env in place of our own */
  static spawn(env: NodeJS.ProcessEnv = process.env): RunningStack {
    const { NODE_OPTIONS: _, ...others } = env;
    const args = [MAIN, '--free-ports'];
    return new RunningStack(spawn(process.execPath, args, { env: others }));
  }

  /** @param sign what it says when it has come far enough */
  static async start(sign = READY): Promise<RunningStack> {
    const stack = RunningStack.spawn();
    await until(`the stack says ${sign}`, () => {
      if (stack.child.exitCode !== null) throw new Error(stack.output);
      return sign.test(stack.output);
    });
    stack.pids = treeOf(stack.pid);
    return stack;
  }

  /** Of what the compose file publishes as 8080 and 8888. */
  get ports(): { readonly sso: string; readonly config: string } {
    const { sso = '', config = '' } = READY.exec(this.output)?.groups ?? {};
    return { sso, config };
  }

  /** The variables of a program, by a part of its command line. */
  environmentOf(program: string): string {
    const pid = this.find(program);
    return readFileSync(`/proc/${pid}/environ`, 'utf8');
  }

  /** Its command line, by a part of it. */
  commandLineOf(program: string): string {
    return commandOf(this.find(program));
  }

  kill(program: string): void {
    signalAll([this.find(program)], 'SIGKILL');
  }

  async waitForOutput(sign: RegExp): Promise<RegExpExecArray> {
    return until(`the stack says ${sign}`, () => sign.exec(this.output) ?? undefined);
  }

  signal(name: NodeJS.Signals): void {
    this.child.kill(name);
  }

  async untilNothingRuns(): Promise<void> {
    await until('nothing runs any more', () => this.pids.every((pid) => commandOf(pid) === ''));
  }

  /** For the end of the tests, whatever has become of it. */
  async stop(): Promise<void> {
    this.signal('SIGTERM');
    await this.ended;
  }

  private get pid(): number {
    if (this.child.pid === undefined) throw new Error('the stack did not start');
    return this.child.pid;
  }

  private find(program: string): number {
    const known = this.pids;
    this.pids = [...known, ...treeOf(this.pid).filter((each) => !known.includes(each))];
    const pid = this.pids.find((each) => commandOf(each).includes(program));
    if (pid === undefined) throw new Error(`no ${program} among the processes of the stack`);
    return pid;
  }
}

/** Nothing of a process that has ended. */
function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}
