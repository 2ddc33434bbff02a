// Holds apps/sso/src/operator/openapi.json and the code together: `npm run docs:openapi`.
import { expect, test } from '@jest/globals';
import type { INestApplicationContext } from '@nestjs/common';
import '../../apps/sso/src/operator/access/sign-in.openapi.js';
import '../../apps/sso/src/operator/logout-messages/logout-messages-api.openapi.js';
import { OperatorModule } from '../../apps/sso/src/operator/operator.module.js';
import '../../apps/sso/src/operator/services/services-api.openapi.js';
import '../../apps/sso/src/operator/sessions/sessions-api.openapi.js';
import '../../apps/sso/src/operator/state/state-api.openapi.js';
import '../../apps/sso/src/operator/users/users-api.openapi.js';
import { compareDocument, documentOf } from '../support/openapi/document.js';

const DESCRIPTION = `For operators, at the management server of the SSO.

Programs send \`sso.management.token\` as a bearer token; browsers have a cookie from \`/sign-in\`. A method that a path does not have is answered 405, with \`Allow\`.

docs/operators-api.md has the rules of all routes.`;

test('openapi.json describes the routes', async () => {
  const application = { get: () => undefined } as unknown as INestApplicationContext;
  const readMetrics = () => Promise.resolve('');
  const document = await documentOf({
    title: "Tessera operator's API",
    description: DESCRIPTION,
    baseUrl: 'http://localhost:8081',
    tags: {
      services: 'Registered services.',
      sessions: 'Single sign-on sessions.',
      users: 'Users of the database.',
      'logout messages': 'Logout messages that have failed or wait.',
      audit: 'The audit trail.',
      server: 'The server itself.',
      console: 'The console, for browsers.',
    },
    module: OperatorModule.forRoot({ application, readMetrics }),
    controllers: [],
  });
  const { committed, expected } = await compareDocument('sso/src/operator', document);
  expect(committed).toBe(expected);
});
