// mod_auth_cas, phpCAS and django-cas-ng with our login page.
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type ClientPackage,
  debianTools,
  installByPip,
  PYTHON_TOOLS,
  siblingFile,
  unpackDebianPackages,
} from '../installation.js';
import { describeClient } from './describe-client.js';
import { testWebClient } from './web-client-suite.js';
import { startWebProgram } from './web-program.js';

const APACHE_AND_PHP: ClientPackage = {
  name: 'apache-and-php',
  tools: debianTools('libapache2-mod-auth-cas', 'php-cas', 'apache2-bin', 'php8.2-cli'),
  manifest: 'web/packages.txt',
  install: unpackDebianPackages,
};

const DJANGO: ClientPackage = {
  name: 'django-cas-ng',
  tools: PYTHON_TOOLS,
  manifest: 'web/requirements.txt',
  install: installByPip,
};

const PHP_EXTENSIONS = ['dom', 'curl', 'simplexml', 'ctype'];

describeClient('mod_auth_cas', APACHE_AND_PHP, (installed) => {
  testWebClient({
    features: ['renew', 'singleLogout'],
    start: (server) =>
      startWebProgram(async (port, folder) => {
        await mkdir(join(folder, 'pages'));
        await mkdir(join(folder, 'cookies'));
        // The workers of Apache have a user of their own.
        await chmod(folder, 0o755);
        await chmod(join(folder, 'cookies'), 0o777);
        for (const name of ['app', 'renew']) {
          await writeFile(join(folder, 'pages', name), 'the page of the application');
        }
        return {
          command: [
            join(installed(), 'usr/sbin/apache2'),
            '-DFOREGROUND',
            '-f',
            siblingFile('web/apache.conf'),
          ],
          env: {
            PORT: String(port),
            FOLDER: folder,
            SERVER: server,
            MODULES: join(installed(), 'usr/lib/apache2/modules'),
            LD_LIBRARY_PATH: libraryPath(installed()),
          },
        };
      }),
  });
});

describeClient('phpCAS', APACHE_AND_PHP, (installed) => {
  testWebClient({
    features: ['gateway', 'logout', 'renew', 'singleLogout'],
    start: (server) =>
      startWebProgram((port, folder) => {
        const extensions = join(installed(), 'usr/lib/php/20220829');
        return Promise.resolve({
          command: [
            join(installed(), 'usr/bin/php8.2'),
            '-n',
            ...PHP_EXTENSIONS.flatMap((name) => ['-d', `extension=${join(extensions, name)}.so`]),
            '-d',
            'display_errors=0',
            '-d',
            `session.save_path=${folder}`,
            '-d',
            `include_path=${join(installed(), 'usr/share/php')}`,
            '-S',
            `127.0.0.1:${port}`,
            siblingFile('web/phpcas.php'),
          ],
          env: {
            SERVER: server,
            CAS_FOLDER: join(installed(), 'usr/share/php/CAS/source'),
            LD_LIBRARY_PATH: libraryPath(installed()),
          },
        });
      }),
  });
});

describeClient('django-cas-ng', DJANGO, (installed) => {
  testWebClient({
    features: ['logout', 'singleLogout'],
    start: (server) =>
      startWebProgram((port, folder) =>
        Promise.resolve({
          command: ['python3', siblingFile('web/django_app.py'), String(port)],
          env: { SERVER: server, FOLDER: folder, PYTHONPATH: installed() },
        }),
      ),
  });
});

/** Where Debian's packages have libraries, in a folder. */
function libraryPath(folder: string): string {
  const folders = ['usr/lib/x86_64-linux-gnu', 'lib/x86_64-linux-gnu'];
  return folders.map((each) => join(folder, each)).join(':');
}
