// A page of docs/clients: its code, and its command that installs the client.
import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { blocksBelow } from '../../deploy/document-code.js';
import type { ClientPackage } from '../installation.js';

/** The code in a language, one text for each file. */
export function codeOf(page: string, language: string): readonly string[] {
  const blocks = blocksBelow(pathOf(page), '## The code', language);
  if (blocks.length === 0) throw new Error(`docs/clients/${page}.md has no code in ${language}`);
  return blocks.map((code) => `${code}\n`);
}

/** Writes the code in a language to a file of this name. @returns its path */
export async function saveCode(
  page: string,
  language: string,
  folder: string,
  name: string,
): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, codeOf(page, language)[0] ?? '');
  return path;
}

/** The client as the page installs it, by a command of npm or pip. It is installed anew when the page changes. */
export function packageOf(page: string, tools: ClientPackage['tools']): ClientPackage {
  const [command = ''] = blocksBelow(pathOf(page), '## What you need', 'sh');
  const quietly = command
    .replace(/^npm install/, 'npm install --prefix "$0" --no-audit --no-fund')
    .replace(
      /^pip install/,
      'python3 -m pip install --quiet --root-user-action=ignore --target "$0"',
    );
  return {
    name: `guide-${page}`,
    tools,
    manifest: pathOf(page),
    install: (_manifest, folder) => ['sh', '-ec', quietly, folder],
  };
}

export function pathOf(page: string): string {
  return resolve(`docs/clients/${page}.md`);
}
