// oidc-client-ts, in the single-page application of docs/clients/oidc-browser.md.
import { symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { edited } from '../../deploy/document-code.js';
import { describeInChromium } from '../../support/chromium.js';
import { codeOf, packageOf } from '../guides/guide-page.js';
import { NPM_TOOLS } from '../installation.js';
import { describeClient } from '../web/describe-client.js';
import { testOidcClient } from './oidc-client-suite.js';
import { ScriptBrowser } from './script-browser.js';

const PAGE = 'oidc-browser';

describeInChromium('oidc-client-ts', (open) => {
  describeClient('in a single-page application', packageOf(PAGE, NPM_TOOLS), (installed) => {
    testOidcClient({
      page: PAGE,
      paths: { private: '/#private', idToken: '/#id-token', signOut: '/#sign-out' },
      browser: (edit) => new ScriptBrowser(open, edit),
      program: async ({ issuer, port, folder }) => {
        await symlink(join(installed(), 'node_modules'), join(folder, 'node_modules'));
        const page = edited(codeOf(PAGE, 'html')[0] ?? '', [
          ['http://localhost:8080/cas/oidc', issuer],
        ]);
        await writeFile(join(folder, 'index.html'), page);
        const serve = ['python3', '-m', 'http.server', '--bind', '127.0.0.1'];
        return { command: [...serve, '--directory', folder, String(port)] };
      },
    });
  });
});
