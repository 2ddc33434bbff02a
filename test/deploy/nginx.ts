// nginx with a configuration for its `conf.d`, which needs no rights and leaves nothing outside a folder.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

export const NGINX = process.env['NGINX'] ?? '/usr/sbin/nginx';

/** The whole configuration around a file for `conf.d`. */
export function completeNginx(text: string, folder: string): string {
  const kinds = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  const places = kinds.map((kind) => `${kind}_temp_path ${folder}/${kind};`).join(' ');
  return `pid ${folder}/pid; daemon off; events {}\nhttp { ${places}\n${text}}`;
}

export function nginxArguments(path: string, folder: string): readonly string[] {
  return ['-q', '-e', `${folder}/error.log`, '-c', path, '-p', folder];
}

/** Writes the configuration. @returns the command that runs nginx with it, in the foreground */
export async function nginxCommand(text: string, folder: string): Promise<readonly string[]> {
  const path = join(folder, 'nginx.conf');
  await writeFile(path, completeNginx(`access_log off;\n${text}`, folder));
  return [NGINX, ...nginxArguments(path, folder)];
}
