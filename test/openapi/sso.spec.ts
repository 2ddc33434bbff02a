// Holds apps/sso/src/openapi.json and the code together. After a change of a route: `npm run docs:openapi`, and the
// difference shows in the review.
import { expect, test } from '@jest/globals';
import { reloadOf, LiveSettings } from '@tessera/config';
import { AppModule } from '../../apps/sso/src/app.module.js';
import { AssetsController } from '../../apps/sso/src/login/login.openapi.js';
import '../../apps/sso/src/proxy/proxy.openapi.js';
import '../../apps/sso/src/rest-services/services.openapi.js';
import '../../apps/sso/src/rest/tickets.openapi.js';
import { SsoSettings } from '../../apps/sso/src/settings.js';
import '../../apps/sso/src/validation/saml/saml.openapi.js';
import '../../apps/sso/src/validation/validation.openapi.js';
import { describeEndpoints } from '../../libs/server/src/endpoints/endpoints.openapi.js';
import { plain } from '../support/openapi/answers.js';
import { compareDocument, documentOf } from '../support/openapi/document.js';

const DESCRIPTION = `The ticket service: REST tickets, CAS validation, browser login.

Statuses of refused credentials, failed validations and throttled callers depend on the dialect (\`sso.dialect\`). Both are described.

A method that a path does not have is answered 405, with \`Allow\`; a path without a route 404. A request that is not well-formed HTTP is answered 400, 408, 417 or 431 by the server itself. A route with \`x-tessera-module\` exists only if \`sso.modules\` lists that module.

docs/protocol.md has the protocol in words.`;

test('openapi.json describes the routes', async () => {
  const argv = ['--profiles.active=dev', '--sso.modules=login,rest,rest-services'];
  const context = { application: 'sso', env: {}, argv };
  const live = await LiveSettings.load(SsoSettings, context);
  describeEndpoints(plain, [423, 429]);
  const document = await documentOf({
    title: 'Tessera SSO',
    description: DESCRIPTION,
    baseUrl: 'http://localhost:8080/cas',
    tags: {
      tickets: 'REST tickets: module `rest`.',
      services: 'Registration of services: module `rest-services`.',
      validation: 'Validation of tickets by applications.',
      'proxy tickets': 'Proxy tickets.',
      browser: 'Pages for browsers: module `login`.',
      management: 'For operators.',
      health: 'For load balancers.',
    },
    module: await AppModule.forRoot(live, reloadOf(live)),
    controllers: [AssetsController],
  });
  const { committed, expected } = await compareDocument('sso/src', document);
  expect(committed).toBe(expected);
});
