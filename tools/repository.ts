// The files of a checkout for the checks, and the output of their findings.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A violation of a rule. `line` counts from 1; 0 means the whole file. */
export interface Finding {
  readonly rule: string;
  readonly path: string;
  readonly line: number;
  readonly message: string;
}

export type Rule = (repository: Repository) => Iterable<Finding>;

const SKIPPED = new Set([
  'node_modules',
  'dist',
  'generated',
  'coverage',
  '.git',
  '.data',
  '.idea',
  '.vscode',
]);

export class Repository {
  readonly #root: string;
  #paths: readonly string[] | undefined;

  constructor(root: string) {
    this.#root = root;
  }

  /** Paths of all files, relative to the root, with `/`, sorted. */
  get paths(): readonly string[] {
    this.#paths ??= [...this.#walk('')].toSorted();
    return this.#paths;
  }

  /** TypeScript files in the given top-level folders. */
  sources(...folders: readonly string[]): readonly string[] {
    return this.paths.filter(
      (path) => path.endsWith('.ts') && folders.some((folder) => path.startsWith(`${folder}/`)),
    );
  }

  /** Whether a file or folder of this path exists. */
  has(path: string): boolean {
    return existsSync(join(this.#root, path));
  }

  read(path: string): string {
    return readFileSync(join(this.#root, path), 'utf8');
  }

  *#walk(folder: string): Generator<string> {
    for (const entry of readdirSync(join(this.#root, folder), { withFileTypes: true })) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (SKIPPED.has(entry.name)) continue;
      if (entry.isDirectory()) yield* this.#walk(path);
      else if (entry.isFile()) yield path;
    }
  }
}

/** Specs and conformance suites. */
export function isTest(path: string): boolean {
  return /\.(spec|conformance)\.ts$/.test(path);
}

/** Applies the rules to the checkout in the working directory and prints their findings. */
export function report(rules: readonly Rule[]): void {
  const repository = new Repository(process.cwd());
  const findings = rules.flatMap((rule) => [...rule(repository)]);
  for (const { path, line, rule, message } of findings) {
    console.log(`${line > 0 ? `${path}:${String(line)}` : path}  ${rule}: ${message}`);
  }
  if (findings.length > 0) process.exitCode = 1;
}
