// Programs of the built product as processes of their own: started, listened to, ended.
import { spawn, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { until } from './until.js';

const BUILD_FOLDER = join(import.meta.dirname, '../../dist/apps');

export type ProgramName = 'sso' | 'config-server' | 'cli';

/** How a process ended; `code` is null where a signal ended it. */
export interface ExitStatus {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface ProgramOptions {
  /** Working directory; data and settings files are looked for there. */
  readonly cwd?: string;
  /** Written to its standard input, which then ends. */
  readonly input?: string;
  /** Beside our own environment. */
  readonly env?: Readonly<Record<string, string>>;
  /** In a process group of its own, as a shell starts what is typed. */
  readonly isGroup?: boolean;
  /** At a terminal of its own, which is closed when what {@link Program} knows as the process is killed. */
  readonly isAtTerminal?: boolean;
}

const running = new Set<Program>();

/** One process. Its output is kept, for tests to look into. */
export class Program {
  readonly ended: Promise<ExitStatus>;
  private stdoutText = '';
  private stderrText = '';
  private exitStatus: ExitStatus | undefined;

  private constructor(private readonly child: ChildProcess) {
    running.add(this);
    child.stdout?.setEncoding('utf8').on('data', (text: string) => (this.stdoutText += text));
    child.stderr?.setEncoding('utf8').on('data', (text: string) => (this.stderrText += text));
    this.ended = new Promise((resolve, reject) => {
      child.once('error', reject);
      // Not `exit`: what it said last is still to be read then.
      child.once('close', (code, signal) => {
        this.exitStatus = { code, signal };
        running.delete(this);
        resolve(this.exitStatus);
      });
    });
  }

  static start(name: ProgramName, args: readonly string[], options: ProgramOptions = {}): Program {
    return Program.run(Program.command(name, args), options);
  }

  /** What starts a program of ours. */
  static command(name: ProgramName, args: readonly string[]): readonly string[] {
    return [process.execPath, join(BUILD_FOLDER, name, 'src/main.js'), ...args];
  }

  /** Any command that is found on the path. */
  static run(command: readonly string[], options: ProgramOptions = {}): Program {
    const typed = [
      'script',
      '--quiet',
      '--return',
      '--command',
      asShellCommand(command),
      '/dev/null',
    ];
    const [file = '', ...rest] = options.isAtTerminal ? typed : command;
    const child = spawn(file, rest, {
      ...(options.cwd !== undefined && { cwd: options.cwd }),
      env: { ...process.env, ...options.env },
      detached: options.isGroup ?? false,
    });
    child.stdin.on('error', () => {});
    // At a terminal the end of its input would be a Ctrl-D.
    if (options.isAtTerminal !== true) child.stdin.end(options.input);
    return new Program(child);
  }

  get pid(): number {
    if (this.child.pid === undefined) throw new Error('the process did not start');
    return this.child.pid;
  }

  get stdout(): string {
    return this.stdoutText;
  }

  get stderr(): string {
    return this.stderrText;
  }

  get isRunning(): boolean {
    return this.exitStatus === undefined;
  }

  /** Presses keys at its terminal. */
  type(keys: string): void {
    this.child.stdin?.write(keys);
  }

  /** To this process alone. */
  signal(name: NodeJS.Signals): void {
    this.child.kill(name);
  }

  /** To its whole group, as a terminal does on Ctrl-C. */
  signalGroup(name: NodeJS.Signals): void {
    process.kill(-this.pid, name);
  }

  /** Waits until its standard output matches; a process that ends instead is a fault. */
  async waitForOutput(pattern: RegExp): Promise<RegExpExecArray> {
    return until(`a process says ${pattern}`, () => {
      const match = pattern.exec(this.stdoutText);
      if (match) return match;
      if (this.isRunning) return undefined;
      throw new Error(`ended instead of saying ${pattern}: ${this.stderrText || this.stdoutText}`);
    });
  }

  /** Ends it like an operator does, and returns how it ended and after how many milliseconds. */
  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<ExitStatus & { readonly ms: number }> {
    const began = performance.now();
    this.signal(signal);
    return { ...(await this.ended), ms: performance.now() - began };
  }

  async kill(): Promise<void> {
    this.signal('SIGKILL');
    await this.ended;
  }
}

/** For a shell, which makes way for it. */
function asShellCommand(command: readonly string[]): string {
  const words = command.map((word) => `'${word.replaceAll("'", "'\\''")}'`);
  return `exec ${words.join(' ')}`;
}

/** Ends what the tests of a file have left running; for `afterAll`. */
export async function endPrograms(): Promise<void> {
  await Promise.all([...running].map(async (program) => program.stop()));
}
