// Apache, mod_auth_cas, mod_auth_openidc and PHP from Debian's packages, in a folder.
import { chmod, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type ClientPackage, debianTools, unpackDebianPackages } from '../installation.js';
import type { WebProgram } from './web-program.js';

export const APACHE_AND_PHP: ClientPackage = {
  name: 'apache-and-php',
  tools: debianTools(
    'libapache2-mod-auth-cas',
    'libapache2-mod-auth-openidc',
    'php-cas',
    'apache2-bin',
    'libapache2-mod-php8.2',
  ),
  manifest: 'web/packages.txt',
  install: unpackDebianPackages,
};

/** Apache with a configuration, in the foreground. @param configuration an absolute path */
export function apache(
  installed: string,
  configuration: string,
  env: Readonly<Record<string, string>>,
  ...options: readonly string[]
): WebProgram {
  const program = join(installed, 'usr/sbin/apache2');
  return {
    command: [program, '-DFOREGROUND', '-f', configuration, ...options],
    // At its end mpm_prefork signals its whole process group.
    isGroup: true,
    env: {
      ...env,
      MODULES: join(installed, 'usr/lib/apache2/modules'),
      LD_LIBRARY_PATH: libraryPath(installed),
    },
  };
}

/** The workers of Apache have a user of their own. */
export async function mkdirForWorkers(folder: string): Promise<void> {
  await mkdir(folder);
  await chmod(folder, 0o777);
}

/** Where Debian's packages have libraries, in a folder. */
export function libraryPath(folder: string): string {
  const folders = ['usr/lib/x86_64-linux-gnu', 'lib/x86_64-linux-gnu'];
  return folders.map((each) => join(folder, each)).join(':');
}
