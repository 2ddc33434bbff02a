// mod_auth_cas, phpCAS and django-cas-ng with our login page.
import { cp, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type ClientPackage, installByPip, PYTHON_TOOLS, siblingFile } from '../installation.js';
import { apache, APACHE_AND_PHP, mkdirForWorkers } from './apache.js';
import { describeClient } from './describe-client.js';
import { testWebClient } from './web-client-suite.js';
import { startWebProgram } from './web-program.js';

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
        return apache(installed(), siblingFile('web/apache.conf'), env, `-D${feature}`);
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
        return apache(installed(), siblingFile('web/phpcas.conf'), {
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
