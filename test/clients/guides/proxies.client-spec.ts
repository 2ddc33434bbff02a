// The configurations of Apache and nginx in docs/clients, in front of the application that these pages show.
import { symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { edited } from '../../deploy/document-code.js';
import { NGINX, nginxCommand } from '../../deploy/nginx.js';
import { NPM_TOOLS, siblingFile } from '../installation.js';
import { apache, APACHE_AND_PHP, mkdirForWorkers } from '../web/apache.js';
import { describeClient } from '../web/describe-client.js';
import { startWebProgram, type WebApplication } from '../web/web-program.js';
import { startApplication } from './behind-proxy.js';
import { codeOf, packageOf, saveCode } from './guide-page.js';
import { testGuide } from './guide-suite.js';

describeClient('the guide for Apache', APACHE_AND_PHP, (installed) => {
  testGuide({
    callback: '/private',
    refusal: 401,
    open: '/public',
    start: async (server) => {
      const application = await startApplication('apache');
      const proxy = await startWebProgram(async (port, folder) => {
        await mkdirForWorkers(join(folder, 'cookies'));
        const configuration = edited(codeOf('apache', 'apache')[0] ?? '', [
          ['http://localhost:8080/cas', server],
          ['http://localhost:9000', `http://127.0.0.1:${port}`],
          ['Listen 9000', `Listen 127.0.0.1:${port}`],
          ['*:9000', `127.0.0.1:${port}`],
          ['http://127.0.0.1:3000', application.url],
          ['/var/cache/apache2/mod_auth_cas/', `${folder}/cookies/`],
        ]);
        await writeFile(join(folder, 'app.conf'), configuration);
        const env = { FOLDER: folder };
        return apache(installed(), siblingFile('guides/apache.conf'), env);
      });
      return together(proxy, application);
    },
  });
});

/** nginx is no package of the page's command. */
const NGINX_TOOLS = [...NPM_TOOLS, [NGINX, '-v']] as const;

describeClient('the guide for nginx', packageOf('nginx', NGINX_TOOLS), (installed) => {
  testGuide({
    callback: '/sign-in/login',
    refusal: 403,
    open: '/public',
    start: async (server) => {
      const application = await startApplication('nginx');
      const started = [application];
      const proxy = await startWebProgram(async (site, folder) => {
        const service = await startService(installed(), server, `http://127.0.0.1:${site}`);
        started.push(service);
        const configuration = edited(codeOf('nginx', 'nginx')[0] ?? '', [
          ['listen 9000', `listen 127.0.0.1:${site}`],
          ['http://127.0.0.1:3000', application.url],
          ['http://127.0.0.1:3001', service.url],
        ]);
        return { command: await nginxCommand(configuration, folder) };
      });
      return together(proxy, ...started);
    },
  });
});

/** The service that nginx asks. @param site the URL of nginx */
function startService(installed: string, server: string, site: string): Promise<WebApplication> {
  return startWebProgram(async (port, folder) => {
    await symlink(join(installed, 'node_modules'), join(folder, 'node_modules'));
    return {
      command: [process.execPath, await saveCode('nginx', 'js', folder, 'auth.mjs')],
      env: { CAS_URL: server, PORT: String(port), SITE_URL: site },
    };
  });
}

/** The first, with others that stop with it. */
function together(first: WebApplication, ...others: readonly WebApplication[]): WebApplication {
  const stop = async (): Promise<void> => {
    await Promise.all([first, ...others].map((each) => each.stop()));
  };
  return { url: first.url, stop };
}
