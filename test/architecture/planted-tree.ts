// A small repository in a temporary folder, with violations planted in it, and the
// project's tools run there. It holds no expectation of its own.

import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';

/** The checkout this suite runs in: jest is started there. */
export const CHECKOUT = process.cwd();

/** What each file of a tree holds, by its path. */
export type Files = Readonly<Record<string, string>>;

export interface Outcome {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export class PlantedTree {
  private constructor(readonly root: string) {}

  static async create(files: Files): Promise<PlantedTree> {
    const tree = new PlantedTree(await mkdtemp(join(tmpdir(), 'tessera-planted-')));
    await tree.write(files);
    return tree;
  }

  async write(files: Files): Promise<void> {
    for (const [path, text] of Object.entries(files)) {
      const target = join(this.root, path);
      await mkdir(dirname(target), { recursive: true });
      await writeFile(target, text);
    }
  }

  /** Makes the checkout's own `node_modules` the tree's. */
  async borrowPackages(): Promise<void> {
    await symlink(join(CHECKOUT, 'node_modules'), join(this.root, 'node_modules'));
  }

  /** Runs a script of the checkout under this Node, with the tree as its working directory. */
  async run(script: string, ...parameters: readonly string[]): Promise<Outcome> {
    return this.execute(process.execPath, [join(CHECKOUT, script), ...parameters]);
  }

  /** Runs any program in the tree; `folders` come first on its path. */
  async execute(
    program: string,
    parameters: readonly string[],
    ...folders: readonly string[]
  ): Promise<Outcome> {
    const path = [...folders, process.env['PATH']].join(delimiter);
    const child = spawn(program, parameters, {
      cwd: this.root,
      env: { ...process.env, PATH: path },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    const status = await new Promise<number | null>((resolve, reject) => {
      child.once('error', reject).once('close', resolve);
    });
    return { status, stdout, stderr };
  }

  async remove(): Promise<void> {
    await rm(this.root, { recursive: true, force: true });
  }
}
