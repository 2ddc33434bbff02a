// `npm run docs:site`: builds the documentation site into dist/site. `npm run docs:site -- dev` shows it while one writes,
// `-- preview` shows what was built. Its packages are installed here, so that `npm ci` does not need them.

import { spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { join } from 'node:path';

const SITE = 'docs/site';
const PACKAGES = join(SITE, 'node_modules');

const [command = 'build', ...options] = process.argv.slice(2);
const install = ['ci', '--prefix', SITE, '--no-audit', '--no-fund'];
if (isInstalled() || runs('npm', install)) {
  runs(process.execPath, [`${PACKAGES}/vitepress/bin/vitepress.js`, command, SITE, ...options]);
}

/** npm writes a lock file of its own after an installation. */
function isInstalled(): boolean {
  const own = statSync(join(PACKAGES, '.package-lock.json'), { throwIfNoEntry: false });
  return own !== undefined && own.mtime > statSync(join(SITE, 'package-lock.json')).mtime;
}

/** Whether the program succeeds; if not, this one ends with its status. */
function runs(program: string, args: readonly string[]): boolean {
  const { status, error } = spawnSync(program, args, { stdio: 'inherit' });
  if (error) throw error;
  process.exitCode = status ?? 1;
  return status === 0;
}
