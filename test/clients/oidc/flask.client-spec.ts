// Authlib, in the Flask application of docs/clients/oidc-flask.md.
import { packageOf, saveCode } from '../guides/guide-page.js';
import { PYTHON_TOOLS } from '../installation.js';
import { describeClient } from '../web/describe-client.js';
import { testOidcClient } from './oidc-client-suite.js';

const PAGE = 'oidc-flask';

describeClient('Authlib in Flask', packageOf(PAGE, PYTHON_TOOLS), (installed) => {
  testOidcClient({
    page: PAGE,
    program: async ({ issuer, site, port, secret, folder }) => {
      const program = await saveCode(PAGE, 'python', folder, 'app.py');
      return {
        command: ['python3', '-m', 'flask', '--app', program, 'run', '--port', String(port)],
        env: {
          ISSUER: issuer,
          SITE_URL: site,
          CLIENT_SECRET: secret,
          PYTHONPATH: installed(),
        },
      };
    },
  });
});
