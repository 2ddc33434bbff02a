// Runs an LDAP client as a process, so that an endless loop there does not block the tests.
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface, type Interface } from 'node:readline';
import type { LdapOptions } from '@tessera/ldap';

/** Result of a login, and its duration in milliseconds. */
export interface Outcome {
  readonly ms: number;
  readonly verdict?: unknown;
  readonly error?: { readonly name: string; readonly code?: string; readonly cause: string };
}

const here = (path: string): string => JSON.stringify(join(import.meta.dirname, path));

/** Reads user names from standard input, one a line, and prints the outcome of each login. */
const clientProgram = (options: LdapOptions): string => `
  import { createInterface } from 'node:readline';
  import { LdapDirectory } from ${here('../../libs/ldap/src/index.ts')};
  import { configureLogging } from ${here('../../libs/logging/src/index.ts')};
  configureLogging({ application: 'client', levels: {}, pretty: false, write() {} });
  const directory = await LdapDirectory.open(${JSON.stringify(options)});
  console.log('ready');
  for await (const username of createInterface(process.stdin)) {
    const began = performance.now();
    const outcome = await directory.authenticate(username, 'Mellon').then(
      (verdict) => ({ verdict }),
      ({ name, code, cause }) => ({ error: { name, code, cause: String(cause?.message) } }),
    );
    console.log(JSON.stringify({ ...outcome, ms: performance.now() - began }));
  }
  directory.close();`;

export class LdapClient {
  private constructor(
    private readonly child: ChildProcessWithoutNullStreams,
    private readonly lines: Interface,
  ) {}

  static async start(options: LdapOptions): Promise<LdapClient> {
    const child = spawn(process.execPath, [
      '--experimental-transform-types',
      '--disable-warning=ExperimentalWarning',
      '--max-old-space-size=200',
      `--import=${join(import.meta.dirname, 'resolve-sources.ts')}`,
      '--input-type=module',
      '--eval',
      clientProgram(options),
    ]);
    child.stderr.pipe(process.stderr);
    // If the process has died, the missing answer fails the test.
    child.stdin.on('error', () => {});
    const lines = createInterface(child.stdout);
    await once(lines, 'line', { signal: AbortSignal.timeout(20_000) });
    return new LdapClient(child, lines);
  }

  /** @param within timeout in milliseconds */
  async login(username: string, within: number): Promise<Outcome> {
    const answered = once(this.lines, 'line', { signal: AbortSignal.timeout(within) });
    this.child.stdin.write(`${username}\n`);
    const [line] = (await answered) as [string];
    return JSON.parse(line) as Outcome;
  }

  stop(): void {
    this.child.kill('SIGKILL');
  }
}
