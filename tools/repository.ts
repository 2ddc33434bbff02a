// The files of a checkout as the checks see them, and the one form in which they report.
// What is right or wrong is decided by the rules, not here.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A place that breaks a rule. `line` counts from 1; 0 stands for the file as a whole. */
export interface Finding {
  readonly rule: string;
  readonly path: string;
  readonly line: number;
  readonly message: string;
}

export type Rule = (repository: Repository) => Iterable<Finding>;

const SKIPPED = new Set(['node_modules', 'dist', 'coverage', '.git', '.data', '.idea', '.vscode']);

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

  /** TypeScript files below the given top folders. */
  sources(...folders: readonly string[]): readonly string[] {
    return this.paths.filter(
      (path) => path.endsWith('.ts') && folders.some((folder) => path.startsWith(`${folder}/`)),
    );
  }

  /** Whether a file or folder of this path is there. */
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

/** Specs, and the conformance suites they run. */
export function isTest(path: string): boolean {
  return /\.(spec|conformance)\.ts$/.test(path);
}

/** Applies the rules to the checkout in the working directory; prints and counts what they find. */
export function report(rules: readonly Rule[]): void {
  const repository = new Repository(process.cwd());
  const findings = rules.flatMap((rule) => [...rule(repository)]);
  for (const { path, line, rule, message } of findings) {
    console.log(`${line > 0 ? `${path}:${String(line)}` : path}  ${rule}: ${message}`);
  }
  if (findings.length > 0) process.exitCode = 1;
}
