// openid-client, in the Express application of docs/clients/oidc-express.md.
import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { packageOf, saveCode } from '../guides/guide-page.js';
import { NPM_TOOLS } from '../installation.js';
import { describeClient } from '../web/describe-client.js';
import { testOidcClient } from './oidc-client-suite.js';

const PAGE = 'oidc-express';

describeClient('openid-client in Express', packageOf(PAGE, NPM_TOOLS), (installed) => {
  testOidcClient({
    page: PAGE,
    program: async ({ issuer, site, port, secret, folder }) => {
      await symlink(join(installed(), 'node_modules'), join(folder, 'node_modules'));
      return {
        command: [process.execPath, await saveCode(PAGE, 'js', folder, 'app.mjs')],
        env: { ISSUER: issuer, SITE_URL: site, PORT: String(port), CLIENT_SECRET: secret },
      };
    },
  });
});
