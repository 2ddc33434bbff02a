// Runs the program of a client: one line of JSON on its standard input for each line of JSON on its standard output.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

/** An error of a client, followed by its causes. */
export interface Thrown {
  readonly thrown: readonly { readonly class: string; readonly message: string }[];
}

export class ClientProgram<Request extends object, Answer> {
  private readonly child;
  private readonly lines;
  private stderr = '';

  constructor(program: string, args: readonly string[], env: Readonly<Record<string, string>>) {
    // Only PATH of our environment, so that proxy variables and the like have no effect.
    const path = process.env['PATH'] ?? '';
    this.child = spawn(program, args, { env: { PATH: path, ...env }, stdio: 'pipe' });
    this.lines = createInterface(this.child.stdout)[Symbol.asyncIterator]();
    this.child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.stderr += text;
    });
  }

  async call(request: Request): Promise<Answer> {
    this.child.stdin.write(`${JSON.stringify(request)}\n`);
    const { value, done } = await this.lines.next();
    if (done) throw new Error(`the client's program has ended: ${this.stderr}`);
    return JSON.parse(value) as Answer;
  }

  async stop(): Promise<void> {
    const exited = once(this.child, 'exit');
    this.child.stdin.end();
    await exited;
  }
}

export interface Validation {
  /** URL of the server, ending in a slash. */
  readonly server: string;
  readonly protocol: string;
  readonly service: string;
  readonly ticket: string;
  /** Charset for clients that need it; `null` leaves it unset. */
  readonly encoding: string | null;
  /** Another service, for which the client gets a proxy ticket. */
  readonly target?: string;
}

/** The result that the client returns to its application. */
export type Outcome =
  { readonly returned: { readonly user: string | null; readonly attributes: unknown } } | Thrown;

export type CasProgram = ClientProgram<Validation, Outcome>;
