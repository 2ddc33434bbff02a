// Finds the code of a document, and runs its commands as they are written.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** The blocks of code of a language below a heading, up to the next heading of its level or a higher one. */
export function blocksBelow(path: string, heading: string, language: string): readonly string[] {
  const [, section = ''] = readFileSync(path, 'utf8').split(`\n${heading}\n`);
  const level = heading.indexOf(' ');
  const [text = ''] = section.split(new RegExp(`\n#{1,${level}} `));
  const block = new RegExp(`^( *)\`\`\`${language}\\n(.*?)\\n\\1\`\`\`$`, 'gms');
  return Array.from(text.matchAll(block), ([, indent = '', code = '']) =>
    code.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
  );
}

/** @throws Error with the output where a command fails */
export function runCommands(
  commands: string,
  cwd: string,
  env: Readonly<Record<string, string>>,
): void {
  const args = ['-euo', 'pipefail', '-c', commands];
  const { status, stdout, stderr } = spawnSync('bash', args, { cwd, env, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${commands}\n${stdout}${stderr}`);
}
