// Bare git repositories in temporary folders, with commits pushed to them.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { promisify } from 'node:util';
import { makeFolder, removeFolder } from './folders.js';

const run = promisify(execFile);

/** Ignores the configuration of the user, and fixes the author. */
const env = {
  PATH: process.env['PATH'],
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_AUTHOR_NAME: 'Tester',
  GIT_AUTHOR_EMAIL: 'tester@example.org',
  GIT_COMMITTER_NAME: 'Tester',
  GIT_COMMITTER_EMAIL: 'tester@example.org',
};

export interface Push {
  readonly branch?: string;
  /** Overwrites the branch with a commit that has no parent. */
  readonly isForced?: boolean;
  /** Targets of symbolic links by path. */
  readonly links?: Readonly<Record<string, string>>;
  /** Commits of submodules by path. */
  readonly submodules?: Readonly<Record<string, string>>;
  /** Seconds since 1970. */
  readonly time?: number;
}

export class GitRemote {
  /** Branches that exist; a further commit has their head as its parent. */
  private readonly branches = new Set<string>();

  private constructor(readonly path: string) {}

  static async create(): Promise<GitRemote> {
    const remote = new GitRemote(await makeFolder());
    await remote.git('init', '--quiet', '--bare', '--initial-branch=main');
    return remote;
  }

  /** Commits exactly these files. @returns the id of the commit */
  async push(files: Readonly<Record<string, string | Buffer>>, push: Push = {}): Promise<string> {
    const { branch = 'main', isForced = false, time = 1_790_000_000 } = push;
    const { links = {}, submodules = {} } = push;
    const ref = `refs/heads/${branch}`;
    const entries = [
      ...Object.entries(files).map(([path, content]) => file('100644', path, content)),
      ...Object.entries(links).map(([path, target]) => file('120000', path, target)),
    ];
    const id = await this.import([
      `commit ${ref}\nmark :1\ncommitter Tester <tester@example.org> ${time} +0000\ndata 0\n`,
      this.branches.has(branch) && !isForced ? `from ${ref}^0\n` : '',
      'deleteall\n',
      ...entries.flat(),
      ...Object.entries(submodules).map(([path, at]) => `M 160000 ${at} ${path}\n`),
      'get-mark :1\n',
    ]);
    this.branches.add(branch);
    return id;
  }

  /** Runs a git command. @returns its trimmed standard output */
  async git(...args: readonly string[]): Promise<string> {
    const { stdout } = await run('git', [`--git-dir=${this.path}`, ...args], { env });
    return stdout.trim();
  }

  async remove(): Promise<void> {
    await removeFolder(this.path);
  }

  /** Runs `git fast-import`. @returns the answer to `get-mark`, the id of the commit */
  private async import(stream: readonly (string | Buffer)[]): Promise<string> {
    const args = [`--git-dir=${this.path}`, 'fast-import', '--quiet', '--force'];
    const child = spawn('git', args, { env, stdio: ['pipe', 'pipe', 'inherit'] });
    let stdout = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
    child.stdin.end(Buffer.concat(stream.map((piece) => Buffer.from(piece))));
    const [code] = (await once(child, 'close')) as [number | null];
    if (code !== 0) throw new Error(`git fast-import ended with ${code}`);
    return stdout.trim();
  }
}

/** @see git-fast-import(1) */
function file(mode: string, path: string, content: string | Buffer): (string | Buffer)[] {
  return [`M ${mode} inline ${path}\ndata ${Buffer.byteLength(content)}\n`, content, '\n'];
}
