// passport-cas, in an Express application, with our login page.
import { type ClientPackage, installByNpm, NPM_TOOLS, siblingFile } from '../installation.js';
import { describeClient } from './describe-client.js';
import { testWebClient } from './web-client-suite.js';
import { startWebProgram } from './web-program.js';

const PASSPORT: ClientPackage = {
  name: 'passport-cas',
  tools: NPM_TOOLS,
  manifest: 'web/passport-package.json',
  install: installByNpm,
};

describeClient('passport-cas', PASSPORT, (installed) => {
  testWebClient({
    features: ['logout', 'proxied', 'renew', 'saml'],
    validatesRenew: false,
    start: ({ server }) =>
      startWebProgram((port) =>
        Promise.resolve({
          command: [process.execPath, siblingFile('web/passport.mjs')],
          env: { MODULES: installed(), PORT: String(port), SERVER: server },
        }),
      ),
  });
});
