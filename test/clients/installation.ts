// Installs clients and tools with the package manager of their language, once, into a cache outside the repository. Their
// manifests pin the versions.
import { execFile, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

type Command = readonly [program: string, ...string[]];

export interface ClientPackage {
  readonly name: string;
  /** Commands that succeed if the tools of its language are installed. */
  readonly tools: readonly Command[];
  /** File with the packages and their versions; absolute, or relative to this folder. */
  readonly manifest: string;
  /** Absolute paths of other files that the installation depends on. */
  readonly sources?: readonly string[];
  install(manifest: string, folder: string): Command;
}

const UNPACK = `
cd "$1"
apt-get download --quiet -o APT::Sandbox::User= $(grep -v '^#' "$0")
for package in *.deb; do dpkg-deb --extract "$package" .; done
`;

/** Extracts the Debian packages of a manifest without installing them. */
export function unpackDebianPackages(manifest: string, folder: string): Command {
  return ['sh', '-ec', UNPACK, manifest, folder];
}

/** The tools of {@link unpackDebianPackages}; their output changes with the versions of the packages. */
export function debianTools(...packages: readonly string[]): readonly Command[] {
  return [
    ['dpkg-deb', '--version'],
    ['apt-cache', 'show', '--no-all-versions', ...packages],
  ];
}

/** Installs the packages of a manifest with pip. */
export function installByPip(manifest: string, folder: string): Command {
  const pip = ['python3', '-m', 'pip', 'install', '--quiet', '--root-user-action=ignore'] as const;
  return [...pip, '--target', folder, '--requirement', manifest];
}

export const PYTHON_TOOLS: readonly Command[] = [
  ['python3', '-c', 'import sys, sysconfig; print(sys.version, sysconfig.get_platform())'],
  ['python3', '-m', 'pip', '--version'],
];

/** Installs the packages of a manifest in the format of `package.json`. */
export function installByNpm(manifest: string, folder: string): Command {
  const install = 'cp "$0" "$1/package.json"; npm install --prefix "$1" --no-audit --no-fund';
  return ['sh', '-ec', install, manifest, folder];
}

export const NPM_TOOLS: readonly Command[] = [['npm', '--version']];

/** Copies the packages of a manifest in the format of `pom.xml`, with those that they need. */
export function installByMaven(manifest: string, folder: string): Command {
  const goal = ['dependency:copy-dependencies', `-DoutputDirectory=${folder}`] as const;
  return ['mvn', '--batch-mode', '--quiet', '--file', manifest, ...goal];
}

export const JAVA_TOOLS: readonly Command[] = [
  // Java compiles the source file that it runs, which needs javac.
  ['javac', '-version'],
  ['java', '-version'],
  ['mvn', '--version'],
];

/** Options of Java for programs that run for seconds: the second compiler costs more than it saves. */
export const QUICK_START = ['-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC'] as const;

export const INSTALL_TIMEOUT_MS = 300_000;

/** Whether tools are missing; if so, prints a line that the tests are skipped. */
export function isSkipped({ name, tools }: Pick<ClientPackage, 'name' | 'tools'>): boolean {
  const missing = tools.find(([program, ...args]) => spawnSync(program, args).status !== 0);
  if (missing === undefined) return false;
  process.stderr.write(`left out: the tests with ${name}; «${missing.join(' ')}» does not run\n`);
  return true;
}

/**
 * Installs the client if the cache does not have it.
 *
 * @returns its folder
 */
export async function installClient(client: ClientPackage): Promise<string> {
  const manifest = siblingFile(client.manifest);
  const folder = join(cacheFolder(), `${client.name}-${await fingerprint(client, manifest)}`);
  if (existsSync(folder)) return folder;
  // The rename keeps the final path complete, even if an installation is killed or two run at once.
  const unfinished = `${folder}.${process.pid}`;
  await mkdir(unfinished, { recursive: true });
  try {
    const [program, ...args] = client.install(manifest, unfinished);
    await promisify(execFile)(program, args);
    await rename(unfinished, folder).catch((error: unknown) => {
      if (!existsSync(folder)) throw error;
    });
    return folder;
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
}

export function siblingFile(name: string): string {
  return resolve(import.meta.dirname, name);
}

function cacheFolder(): string {
  const cache = process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache');
  return join(cache, 'tessera', 'clients');
}

/** A hash of the manifest, the sources and the versions of the tools. */
async function fingerprint(
  { tools, sources = [] }: ClientPackage,
  manifest: string,
): Promise<string> {
  const hash = createHash('sha256');
  for (const path of [manifest, ...sources]) hash.update(await readFile(path));
  for (const [program, ...args] of tools) hash.update(spawnSync(program, args).stdout);
  return hash.digest('hex').slice(0, 12);
}
