// mod_auth_cas, phpCAS and django-cas-ng with our login page.
import { chmod, cp, mkdir, writeFile } from 'node:fs/promises';
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
import { startWebProgram, type WebProgram } from './web-program.js';

const APACHE_AND_PHP: ClientPackage = {
  name: 'apache-and-php',
  tools: debianTools('libapache2-mod-auth-cas', 'php-cas', 'apache2-bin', 'libapache2-mod-php8.2'),
  manifest: 'web/packages.txt',
  install: unpackDebianPackages,
};

const DJANGO: ClientPackage = {
  name: 'django-cas-ng',
  tools: PYTHON_TOOLS,
  manifest: 'web/requirements.txt',
  install: installByPip,
};

const PAGES = ['app', 'gateway', 'proxied', 'renew', 'saml'];

describeClient('mod_auth_cas', APACHE_AND_PHP, (installed) => {
  testWebClient({
    features: ['gateway', 'proxied', 'renew', 'saml', 'singleLogout'],
    programWide: ['proxied', 'saml'],
    start: ({ server, feature = 'none' }) =>
      startWebProgram(async (port, folder) => {
        await mkdir(join(folder, 'pages'));
        await mkdirForWorkers(join(folder, 'cookies'));
        for (const name of PAGES) {
          await writeFile(join(folder, 'pages', name), 'the page of the application');
        }
        const env = { PORT: String(port), FOLDER: folder, SERVER: server };
        return apache(installed(), 'web/apache.conf', env, `-D${feature}`);
      }),
  });
});

describeClient('phpCAS', APACHE_AND_PHP, (installed) => {
  testWebClient({
    features: ['gateway', 'logout', 'proxy', 'renew', 'saml', 'singleLogout'],
    needsHttps: true,
    start: ({ server, tls }) =>
      startWebProgram(async (port, folder) => {
        await mkdirForWorkers(join(folder, 'state'));
        // The workers cannot read in the home directory of another user.
        const files = [
          [join(installed(), 'usr/share/php'), 'php'],
          [siblingFile('web/phpcas.php'), 'phpcas.php'],
        ] as const;
        for (const [source, name] of files) {
          await cp(source, join(folder, name), { recursive: true, verbatimSymlinks: true });
        }
        return apache(installed(), 'web/phpcas.conf', {
          APPLICATION: `https://127.0.0.1:${port}`,
          PORT: String(port),
          FOLDER: folder,
          SERVER: server,
          AUTHORITY: tls.authority,
          CERTIFICATE: tls.certificate,
          KEY: tls.key,
          PHP_INI: siblingFile('web/phpcas.ini'),
          PHP_EXTENSIONS: join(installed(), 'usr/lib/php/20220829'),
        });
      }, 'https'),
  });
});

describeClient('django-cas-ng', DJANGO, (installed) => {
  testWebClient({
    features: ['logout', 'proxy', 'renew', 'saml', 'singleLogout'],
    programWide: ['renew', 'saml'],
    validatesRenew: false,
    start: ({ server, feature = 'none' }) =>
      startWebProgram((port, folder) =>
        Promise.resolve({
          command: ['python3', siblingFile('web/django_app.py'), String(port)],
          env: { SERVER: server, FOLDER: folder, FEATURE: feature, PYTHONPATH: installed() },
        }),
      ),
  });
});

/** Apache with a configuration, in the foreground. */
function apache(
  installed: string,
  configuration: string,
  env: Readonly<Record<string, string>>,
  ...options: readonly string[]
): WebProgram {
  const program = join(installed, 'usr/sbin/apache2');
  return {
    command: [program, '-DFOREGROUND', '-f', siblingFile(configuration), ...options],
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
async function mkdirForWorkers(folder: string): Promise<void> {
  await mkdir(folder);
  await chmod(folder, 0o777);
}

/** Where Debian's packages have libraries, in a folder. */
function libraryPath(folder: string): string {
  const folders = ['usr/lib/x86_64-linux-gnu', 'lib/x86_64-linux-gnu'];
  return folders.map((each) => join(folder, each)).join(':');
}
