// Spring Security's client of OpenID Connect, in the application of docs/clients/oidc-spring.md.
import { join } from 'node:path';
import { codeOf, pathOf } from '../guides/guide-page.js';
import { type ClientPackage, JAVA_TOOLS, QUICK_START } from '../installation.js';
import { describeClient } from '../web/describe-client.js';
import { testOidcClient } from './oidc-client-suite.js';

const PAGE = 'oidc-spring';

/** As a reader does: files from the page, and the command. */
const BUILD = `
mkdir -p "$0/src/main/java/app" "$0/src/main/resources"
printf %s "$1" >"$0/pom.xml"
printf %s "$2" >"$0/src/main/resources/application.yaml"
printf %s "$3" >"$0/src/main/java/app/App.java"
cd "$0"
mvn --batch-mode --quiet package
`;

const SPRING: ClientPackage = {
  name: `guide-${PAGE}`,
  tools: JAVA_TOOLS,
  manifest: pathOf(PAGE),
  install: (_manifest, folder) => {
    const files = ['xml', 'yaml', 'java'].map((language) => codeOf(PAGE, language)[0] ?? '');
    return ['sh', '-ec', BUILD, folder, ...files];
  },
};

describeClient('Spring Security', SPRING, (installed) => {
  testOidcClient({
    page: PAGE,
    hasBackChannel: true,
    program: ({ issuer, site, port, secret }) =>
      Promise.resolve({
        command: ['java', ...QUICK_START, '-jar', join(installed(), 'target/app-1.jar')],
        env: { ISSUER: issuer, SITE_URL: site, PORT: String(port), CLIENT_SECRET: secret },
      }),
  });
});
