// mod_auth_openidc, with the configuration of docs/clients/oidc-apache.md.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll } from '@jest/globals';
import { edited } from '../../deploy/document-code.js';
import { startApplication } from '../guides/behind-proxy.js';
import { codeOf } from '../guides/guide-page.js';
import { siblingFile } from '../installation.js';
import { apache, APACHE_AND_PHP } from '../web/apache.js';
import { describeClient } from '../web/describe-client.js';
import type { WebApplication } from '../web/web-program.js';
import { testOidcClient } from './oidc-client-suite.js';

const PAGE = 'oidc-apache';

describeClient('mod_auth_openidc', APACHE_AND_PHP, (installed) => {
  let application: WebApplication;
  beforeAll(async () => {
    application = await startApplication(PAGE);
  });
  afterAll(() => application?.stop());

  testOidcClient({
    page: PAGE,
    hasBackChannel: true,
    paths: { open: '/public' },
    program: async ({ issuer, site, port, secret, folder }) => {
      const configuration = edited(codeOf(PAGE, 'apache')[0] ?? '', [
        ['http://localhost:8080/cas/oidc', issuer],
        ['http://localhost:9000', site],
        ['Listen 9000', `Listen 127.0.0.1:${port}`],
        ['*:9000', `127.0.0.1:${port}`],
        ['http://127.0.0.1:3000', application.url],
      ]);
      await writeFile(join(folder, 'app.conf'), configuration);
      const env = { FOLDER: folder, CLIENT_SECRET: secret, PASSPHRASE: 'a passphrase for tests' };
      return apache(installed(), siblingFile('guides/apache.conf'), env, '-Dopenidc');
    },
  });
});
