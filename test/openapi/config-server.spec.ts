// Holds apps/config-server/src/openapi.json and the code together. After a change of a route: `npm run docs:openapi`, and
// the difference shows in the review.
import { expect, test } from '@jest/globals';
import { reloadOf } from '@tessera/config';
import { jsonError } from '../../apps/config-server/src/answers.openapi.js';
import { AppModule } from '../../apps/config-server/src/app.module.js';
import '../../apps/config-server/src/encryption/encryption.openapi.js';
import { EnvironmentRoutes } from '../../apps/config-server/src/environment/environment.openapi.js';
import '../../apps/config-server/src/monitor/monitor.openapi.js';
import { describeEndpoints } from '../../libs/server/src/endpoints/endpoints.openapi.js';
import { liveConfigServerSettings } from '../support/config-server.js';
import { compareDocument, documentOf } from '../support/openapi/document.js';

const DESCRIPTION = `Serves the settings of applications, and encrypts and decrypts secrets. The interface is that of Spring Cloud Config.

Without \`config-server.clients\`, programs of the same machine need no credentials, and all others are refused.

A method that a path does not have is answered 405, with \`Allow\`. A request that is not well-formed HTTP is answered 400, 408, 417 or 431 by the server itself.

docs/config-server.md has the interface in words.`;

test('openapi.json describes the routes', async () => {
  const live = await liveConfigServerSettings([]);
  describeEndpoints(jsonError, [429]);
  const document = await documentOf({
    title: 'Tessera config server',
    description: DESCRIPTION,
    baseUrl: 'http://localhost:8888',
    tags: {
      environments: 'The settings of applications, and plain files.',
      encryption: 'Protected values.',
      webhook: 'For git hosts.',
      management: 'For operators.',
      health: 'For load balancers.',
    },
    module: AppModule.forRoot(live, reloadOf(live)),
    controllers: [EnvironmentRoutes],
  });
  const { committed, expected } = await compareDocument('config-server/src', document);
  expect(committed).toBe(expected);
});
