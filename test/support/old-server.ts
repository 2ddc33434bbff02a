// A directory as an old server leaves it, and `tessera migrate` on it.
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach } from '@jest/globals';
import { runTessera } from './command-line.js';

/** Contents by path. */
export type OldFiles = Readonly<Record<string, string | Buffer>>;

interface Entry {
  readonly key: string;
  readonly origin: string;
  readonly here?: readonly string[];
  readonly note?: string;
  readonly accept?: string;
}

export type Section = 'taken' | 'renamed' | 'left' | 'weaker' | 'missing';

export type JsonReport = Readonly<Record<Section, readonly Entry[]>> & {
  readonly application: string;
  readonly written: boolean;
  readonly profiles: readonly string[];
  readonly unreadFiles: readonly string[];
  readonly services?: { readonly counts: object; readonly files: readonly object[] };
  readonly next: readonly string[];
};

export interface OldServer {
  /** The old directory. */
  readonly directory: string;
  /** The new one. */
  readonly into: string;
  readonly write: (files: OldFiles) => Promise<void>;
  readonly migrate: (...options: readonly string[]) => ReturnType<typeof runTessera>;
  /** With `--json`. @throws Error where nothing is written */
  readonly report: (...options: readonly string[]) => Promise<JsonReport>;
  /** A file of the new directory. */
  readonly read: (name: string) => Promise<string>;
}

/** For each test a directory of its own. */
export function oldServerSuite(): OldServer {
  let root = '';
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'tessera-migrate-'));
    await mkdir(join(root, 'old'));
  });
  afterEach(() => rm(root, { recursive: true }));
  const directory = (): string => join(root, 'old');
  const into = (): string => join(root, 'new');
  const migrate = (...options: readonly string[]) =>
    runTessera(['migrate', directory(), '--into', into(), ...options]);
  return {
    get directory() {
      return directory();
    },
    get into() {
      return into();
    },
    write: async (files) => {
      for (const [name, content] of Object.entries(files)) {
        const path = join(directory(), name);
        await mkdir(dirname(path), { recursive: true });
        await writeFile(path, content);
      }
    },
    migrate,
    report: async (...options) => {
      const { exitCode, stdout, stderr } = await migrate('--json', ...options);
      if (exitCode !== 0) throw new Error(stderr);
      return JSON.parse(stdout) as JsonReport;
    },
    read: (name) => readFile(join(into(), name), 'utf8'),
  };
}
