// Runs the built config server on files of a directory or of a git repository.
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startConfigServerNode } from '../support/config-server-node.js';
import { makeFolder, removeFolder } from '../support/folders.js';
import { GitRemote } from '../support/git-remote.js';
import { http } from '../support/http.js';

const SAMPLE = join(import.meta.dirname, '../support/config-repo');

/** Plaintexts of the encrypted values in the sample, whose key is lost. Its other encrypted values are invalid. */
const PLAINTEXTS = {
  '0326ca2e2e15acdd646295bfe69c1c7a3598cbe7be830a031823c0e709eab2d1': 'props-secret',
  bfe6b2a66e92eda60a09b5c06db6f6eea22d271111880e0fde825d32397fd756: 'yaml-secret é',
};

type Files = Readonly<Record<string, string>>;

export interface RunningConfigServer {
  readonly url: string;
  stop(): Promise<void>;
}

/** Serves the sample from a directory, with its values encrypted by the server. */
export async function serveSample(settings: readonly string[]): Promise<RunningConfigServer> {
  const folder = await makeFolder();
  const server = await serveDirectory(folder, settings);
  await write(folder, await readableSample(server.url));
  return server;
}

export async function serveFiles(
  files: Files,
  settings: readonly string[],
): Promise<RunningConfigServer> {
  const folder = await makeFolder();
  await write(folder, files);
  return serveDirectory(folder, settings);
}

async function serveDirectory(
  folder: string,
  settings: readonly string[],
): Promise<RunningConfigServer> {
  const location = `--config-server.native.location=${folder}`;
  const { program, url } = await startConfigServerNode(folder, [location, ...settings]);
  return { url, stop: () => program.stop().then(() => removeFolder(folder)) };
}

async function write(folder: string, files: Files): Promise<void> {
  for (const [name, content] of Object.entries(files)) {
    await writeFile(join(folder, name), content);
  }
}

export interface RunningGitServer extends RunningConfigServer {
  readonly repository: string;
  /** Commit ids by branch. */
  readonly commits: Readonly<Record<string, string>>;
}

/** Serves a repository with these branches. */
export async function serveGit(
  branches: Readonly<Record<string, Files>>,
): Promise<RunningGitServer> {
  const remote = await GitRemote.create();
  const commits: Record<string, string> = {};
  for (const [branch, files] of Object.entries(branches)) {
    commits[branch] = await remote.push(files, { branch });
  }
  const folder = await makeFolder();
  const settings = ['--config-server.backends=git', `--config-server.git.uri=${remote.path}`];
  const { program, url } = await startConfigServerNode(folder, settings);
  return {
    url,
    repository: remote.path,
    commits,
    async stop() {
      await program.stop();
      await removeFolder(folder);
      await remote.remove();
    },
  };
}

/** The sample as committed; its encrypted values cannot be decrypted. */
export async function sampleFiles(): Promise<Files> {
  const entries = await readdir(SAMPLE, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isFile()).map(({ name }) => name);
  const files = names.map(async (name) => [name, await readFile(join(SAMPLE, name), 'utf8')]);
  return Object.fromEntries(await Promise.all(files)) as Files;
}

/** The sample with values that the server at this URL has encrypted. */
async function readableSample(url: string): Promise<Files> {
  const files = { ...(await sampleFiles()) };
  for (const [old, plain] of Object.entries(PLAINTEXTS)) {
    const cipher = await encrypt(url, plain);
    for (const [name, content] of Object.entries(files)) {
      files[name] = content.replaceAll(old, cipher);
    }
  }
  return files;
}

async function encrypt(url: string, plain: string): Promise<string> {
  const headers = { 'content-type': 'text/plain' };
  const { status, body } = await http('POST', url, '/encrypt', { headers, body: plain });
  if (status !== 200) throw new Error(`cannot encrypt: ${status} ${body}`);
  return body;
}
