// Checks the npm scripts and commands that documents mention, and the lock file.

import type { Finding, Repository } from '../repository.ts';
import { pagesOf } from './markdown.ts';

const COMMAND = /\bnpm (?:run(?:-script)?\s+(?:-\S+\s+)*([\w:-]+)|(start|test)\b(?!:))/g;

interface Manifest {
  readonly scripts?: Readonly<Record<string, string>>;
}

interface LockFile {
  readonly packages?: Readonly<Record<string, LockedPackage>>;
}

interface LockedPackage {
  readonly resolved?: string;
  readonly integrity?: string;
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

/** No page says `npx`: it installs a checkout a second time, and elsewhere a package of a stranger. */
export function* npx(repository: Repository): Generator<Finding> {
  for (const path of pagesOf(repository).filter((each) => !isHistory(each))) {
    for (const [index, text] of repository.read(path).split('\n').entries()) {
      if (!/\bnpx\b/.test(text)) continue;
      yield { rule: 'npx', path, line: index + 1, message: 'write bin/tessera, or tessera' };
    }
  }
}

function isHistory(path: string): boolean {
  return path === 'CHANGELOG.md' || path.startsWith('docs/adr/');
}

/** Lock files contain versions and checksums of all packages, but no download addresses of one machine's registry. */
export function* lockFile(repository: Repository): Generator<Finding> {
  for (const path of repository.paths.filter((each) => each.endsWith('package-lock.json'))) {
    const { packages = {} } = JSON.parse(repository.read(path)) as LockFile;
    for (const [name, locked] of Object.entries(packages)) {
      for (const error of lockErrors(name, locked)) {
        yield { rule: 'lock-file', path, line: 0, message: `${name} ${error}` };
      }
    }
  }
}

function* lockErrors(name: string, { resolved, integrity }: LockedPackage): Iterable<string> {
  if (resolved !== undefined) {
    yield "has a download address: set npm's omit-lockfile-registry-resolved";
  }
  // The empty name is the project itself.
  if (name !== '' && integrity === undefined) yield 'has no checksum';
}
