// Runs the built programs and other commands as processes.
import { spawn, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { until } from './until.js';

const BUILD_FOLDER = join(import.meta.dirname, '../../dist/apps');

export type ProgramName = 'sso' | 'config-server' | 'cli' | 'demo';

/** `code` is null if a signal ended the process. */
export interface ExitStatus {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface ProgramOptions {
  /** Working directory, with the data and the settings files. */
  readonly cwd?: string;
  /** Content of standard input. */
  readonly input?: string;
  /** Added to the environment of this process. */
  readonly env?: Readonly<Record<string, string>>;
  /** Starts a new process group, as an interactive shell does. */
  readonly isGroup?: boolean;
  /** Starts it in a pseudo-terminal, which closes when {@link Program.kill} is called. */
  readonly isAtTerminal?: boolean;
}

const running = new Set<Program>();

/** A process and its output. */
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
      // `exit` can come before the last output is read.
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

  /** The command that starts a built program. */
  static command(name: ProgramName, args: readonly string[]): readonly string[] {
    return [process.execPath, join(BUILD_FOLDER, name, 'src/main.js'), ...args];
  }

  /** Runs a command that is on the PATH. */
  static run(command: readonly string[], options: ProgramOptions = {}): Program {
    const atTerminal = [
      'script',
      '--quiet',
      '--return',
      '--command',
      asShellCommand(command),
      '/dev/null',
    ];
    const [file = '', ...rest] = options.isAtTerminal ? atTerminal : command;
    const child = spawn(file, rest, {
      ...(options.cwd !== undefined && { cwd: options.cwd }),
      // No management server unless a test wants one: all would use the same port.
      env: { ...process.env, MANAGEMENT_PORT: '0', ...options.env },
      detached: options.isGroup ?? false,
    });
    child.stdin.on('error', () => {});
    // In a terminal the end of its input would be Ctrl-D.
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

  /** Types at its terminal. */
  type(keys: string): void {
    this.child.stdin?.write(keys);
  }

  /** Signals this process alone. */
  signal(name: NodeJS.Signals): void {
    this.child.kill(name);
  }

  /** Signals its process group, as a terminal does on Ctrl-C. */
  signalGroup(name: NodeJS.Signals): void {
    process.kill(-this.pid, name);
  }

  /** Waits until its standard output matches. @throws Error if the process ends first */
  async waitForOutput(pattern: RegExp): Promise<RegExpExecArray> {
    return until(`output ${pattern}`, () => {
      const match = pattern.exec(this.stdoutText);
      if (match) return match;
      if (this.isRunning) return undefined;
      throw new Error(`ended without the output ${pattern}: ${this.stderrText || this.stdoutText}`);
    });
  }

  /** Stops it with a signal. @returns the exit status and the duration in milliseconds */
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

/** The command for a shell, which it replaces by `exec`. */
function asShellCommand(command: readonly string[]): string {
  const words = command.map((word) => `'${word.replaceAll("'", "'\\''")}'`);
  return `exec ${words.join(' ')}`;
}

/** Stops all programs that the tests of a file have left running; for `afterAll`. */
export async function endPrograms(): Promise<void> {
  await Promise.all([...running].map(async (program) => program.stop()));
}
