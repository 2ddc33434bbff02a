// Finds the code of a document, and runs its commands as they are written.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** The blocks of code of a language below a heading, up to the next heading of its level or a higher one. */
export function blocksBelow(path: string, heading: string, language: string): readonly string[] {
  const [, section = ''] = readFileSync(path, 'utf8').split(`\n${heading}\n`);
  // Comments in code look like headings.
  const part = new RegExp(
    `^#{1,${heading.indexOf(' ')}} |^( *)\`\`\`(\\w*)\\n(.*?)\\n\\1\`\`\`$`,
    'gms',
  );
  const blocks: string[] = [];
  for (const [, indent, name, code = ''] of section.matchAll(part)) {
    if (indent === undefined) break;
    if (name === language) blocks.push(code.replaceAll(new RegExp(`^${indent}`, 'gm'), ''));
  }
  return blocks;
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

/** The text with other addresses and paths. @throws Error where it does not have what is to be changed */
export function edited(
  text: string,
  edits: readonly (readonly [written: string, changed: string])[],
): string {
  return edits.reduce((before, [written, changed]) => {
    if (!before.includes(written)) throw new Error(`there is no «${written}»`);
    return before.replaceAll(written, changed);
  }, text);
}
