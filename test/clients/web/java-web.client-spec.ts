// The clients of web applications in Java, with our login page.
import { join } from 'node:path';
import { installByMaven, JAVA_TOOLS, QUICK_START, siblingFile } from '../installation.js';
import { describeClient } from './describe-client.js';
import { testWebClient, type WebClient } from './web-client-suite.js';
import { startWebProgram } from './web-program.js';

interface JavaApplication {
  readonly title: string;
  /** Of the file with its packages. */
  readonly manifest: string;
  /** The file with its source. */
  readonly source: string;
  readonly features: WebClient['features'];
}

const APPLICATIONS: readonly JavaApplication[] = [
  {
    title: 'the filters of the Java CAS client',
    manifest: 'cas-filters',
    source: 'CasFilters.java',
    features: ['gateway', 'logout', 'proxy', 'renew', 'saml', 'singleLogout'],
  },
  {
    title: 'Spring Security CAS',
    manifest: 'spring-security-cas',
    source: 'SpringSecurityCas.java',
    features: ['gateway', 'logout', 'proxy', 'renew', 'saml', 'singleLogout'],
  },
  {
    title: 'pac4j',
    manifest: 'pac4j',
    source: 'Pac4jCas.java',
    features: ['logout', 'proxy', 'renew', 'saml', 'singleLogout'],
  },
];

for (const { title, manifest, source, features } of APPLICATIONS) {
  const client = {
    name: manifest,
    tools: JAVA_TOOLS,
    manifest: `web/${manifest}-pom.xml`,
    install: installByMaven,
  };
  describeClient(title, client, (installed) => {
    testWebClient({
      features,
      start: ({ server }) =>
        startWebProgram((port, folder) =>
          Promise.resolve({
            command: [
              'java',
              ...QUICK_START,
              '-cp',
              join(installed(), '*'),
              siblingFile(`web/${source}`),
            ],
            env: { SERVER: server, PORT: String(port), FOLDER: folder },
          }),
        ),
    });
  });
}
