// The code of the pages in docs/clients, as it is written there, with our login page.
import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type ClientPackage,
  JAVA_TOOLS,
  NPM_TOOLS,
  PYTHON_TOOLS,
  QUICK_START,
  siblingFile,
} from '../installation.js';
import { APACHE_AND_PHP, libraryPath } from '../web/apache.js';
import { describeClient } from '../web/describe-client.js';
import { startWebProgram } from '../web/web-program.js';
import { codeOf, packageOf, pathOf, saveCode } from './guide-page.js';
import { FLASK, startFlask } from './flask.js';
import { testGuide } from './guide-suite.js';

describeClient('the guide for Express', packageOf('express', NPM_TOOLS), (installed) => {
  testGuide({
    callback: '/sign-in/login',
    refusal: 403,
    start: (server) =>
      startWebProgram(async (port, folder) => {
        await symlink(join(installed(), 'node_modules'), join(folder, 'node_modules'));
        return {
          command: [process.execPath, await saveCode('express', 'js', folder, 'app.mjs')],
          env: { CAS_URL: server, PORT: String(port), SITE_URL: `http://127.0.0.1:${port}` },
        };
      }),
  });
});

describeClient('the guide for Flask', FLASK, (installed) => {
  testGuide({
    callback: '/sign-in/login',
    refusal: 403,
    start: (server) => startFlask(server, installed()),
  });
});

const MIGRATE_AND_RUN = 'python3 "$0" migrate && exec python3 "$0" runserver --noreload "$1"';

describeClient('the guide for Django', packageOf('django', PYTHON_TOOLS), (installed) => {
  testGuide({
    callback: '/accounts/login/?next=%2Fprivate',
    refusal: 403,
    start: (server) =>
      startWebProgram(async (port, folder) => {
        const program = await saveCode('django', 'python', folder, 'app.py');
        return {
          command: ['sh', '-c', MIGRATE_AND_RUN, program, String(port)],
          env: {
            CAS_URL: server,
            SITE_URL: `http://127.0.0.1:${port}`,
            DATABASE: join(folder, 'app.sqlite'),
            PYTHONPATH: installed(),
          },
        };
      }),
  });
});

describeClient('the guide for PHP', APACHE_AND_PHP, (installed) => {
  testGuide({
    callback: '/private',
    refusal: 403,
    start: (server) =>
      startWebProgram(async (port, folder) => {
        await symlink(join(installed(), 'usr/share/php'), join(folder, 'php'));
        await mkdir(join(folder, 'state'));
        const php = join(installed(), 'usr/bin/php8.2');
        const settings = siblingFile('web/phpcas.ini');
        const program = await saveCode('php', 'php', folder, 'index.php');
        return {
          command: [php, '-c', settings, '-S', `127.0.0.1:${port}`, program],
          env: {
            CAS_URL: server,
            SITE_URL: `http://127.0.0.1:${port}`,
            FOLDER: folder,
            PHP_EXTENSIONS: join(installed(), 'usr/lib/php/20220829'),
            LD_LIBRARY_PATH: libraryPath(installed()),
          },
        };
      }),
  });
});

const SPRING: ClientPackage = {
  name: 'guide-spring',
  tools: JAVA_TOOLS,
  manifest: pathOf('spring'),
  install: (_manifest, folder) => {
    const [pom = ''] = codeOf('spring', 'xml');
    const [source = ''] = codeOf('spring', 'java');
    return ['sh', '-ec', BUILD, folder, pom, source];
  },
};

/** As a reader does: files from the page, and the command. */
const BUILD = `
mkdir -p "$0/src/main/java/app"
printf %s "$1" >"$0/pom.xml"
printf %s "$2" >"$0/src/main/java/app/App.java"
cd "$0"
mvn --batch-mode --quiet package
`;

describeClient('the guide for Spring', SPRING, (installed) => {
  testGuide({
    callback: '/login/cas',
    // As the Java client answers in the dialect of `npm start`; 401 in `apereo`.
    refusal: 500,
    start: (server) =>
      startWebProgram((port) =>
        Promise.resolve({
          command: ['java', ...QUICK_START, '-jar', join(installed(), 'target/app-1.jar')],
          env: { CAS_URL: server, PORT: String(port), SITE_URL: `http://127.0.0.1:${port}` },
        }),
      ),
  });
});
