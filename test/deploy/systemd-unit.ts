// Reads units of systemd, and runs systemd-analyze on them.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** Where the units expect the program. */
const INSTALLED_AT = '/opt/tessera';

/** Name or path of the program. */
const { SYSTEMD: ANALYZE = 'systemd-analyze' } = process.env;

/** Whether systemd-analyze is missing; prints a line if so. */
export function isSystemdSkipped(): boolean {
  if (spawnSync(ANALYZE, ['--version']).status === 0) return false;
  process.stderr.write('left out: the tests of systemd units; systemd-analyze is not installed\n');
  return true;
}

export const pathOf = (unit: string): string => `deploy/systemd/${unit}.service`;

/** The text of a unit for a program that is installed in this checkout. */
export function unitHere(unit: string): string {
  return readFileSync(pathOf(unit), 'utf8').replaceAll(INSTALLED_AT, process.cwd());
}

/** The values of a directive, in the order of the file. */
export function directives(text: string, name: string): readonly string[] {
  return Array.from(text.matchAll(new RegExp(`^${name}=(.*)$`, 'gm')), ([, value = '']) => value);
}

/** @returns its output, without colours */
export function analyze(...args: readonly string[]): { status: number | null; output: string } {
  const env = { ...process.env, SYSTEMD_COLORS: '0' };
  const { status, stdout, stderr } = spawnSync(ANALYZE, args, { env, encoding: 'utf8' });
  return { status, output: `${stdout}${stderr}` };
}
