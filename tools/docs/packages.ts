// Checks the npm scripts that documents mention, and the lock file.

import type { Finding, Repository } from '../repository.ts';
import { pagesOf } from './markdown.ts';

const COMMAND = /\bnpm (?:run(?:-script)?\s+(?:-\S+\s+)*([\w:-]+)|(start|test)\b(?!:))/g;

interface Manifest {
  readonly scripts?: Readonly<Record<string, string>>;
}

interface LockFile {
  readonly packages?: Readonly<Record<string, { readonly resolved?: string }>>;
}

/** Every script that a page mentions exists. */
export function* scripts(repository: Repository): Generator<Finding> {
  const manifest = JSON.parse(repository.read('package.json')) as Manifest;
  for (const path of pagesOf(repository)) {
    for (const { name, line } of commandsOf(repository.read(path))) {
      if (manifest.scripts?.[name] !== undefined) continue;
      yield { rule: 'script', path, line, message: `package.json has no script «${name}»` };
    }
  }
}

function commandsOf(page: string): readonly { readonly name: string; readonly line: number }[] {
  return page.split('\n').flatMap((text, index) =>
    [...text.matchAll(COMMAND)].map((match) => ({
      name: match[1] ?? match[2] ?? '',
      line: index + 1,
    })),
  );
}

/** Lock files contain versions and checksums, but no download addresses of one machine's registry. */
export function* lockFile(repository: Repository): Generator<Finding> {
  for (const path of repository.paths.filter((each) => each.endsWith('package-lock.json'))) {
    yield* downloadAddresses(path, repository.read(path));
  }
}

function* downloadAddresses(path: string, text: string): Generator<Finding> {
  const { packages } = JSON.parse(text) as LockFile;
  for (const [name, { resolved }] of Object.entries(packages ?? {})) {
    if (resolved === undefined) continue;
    const message = `${name} has a download address: set npm's omit-lockfile-registry-resolved`;
    yield { rule: 'lock-file', path, line: 0, message };
  }
}
