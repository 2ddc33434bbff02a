// Describes the webhook. @see docs/config-server.md, "Webhook"
import { ANY_TEXT, answer, serverErrors } from '../../../../test/support/openapi/answers.js';
import { describeRoutes, REFUSES_OTHERS } from '../../../../test/support/openapi/describe.js';
import { jsonError } from '../answers.openapi.js';
import { MonitorController } from './monitor.controller.js';

const ONE = 'One of these headers is enough.';
const SIGNATURES = ['X-Hub-Signature-256', 'X-Hub-Signature', 'X-Gitea-Signature'];

describeRoutes(MonitorController, {
  refresh: {
    tag: 'webhook',
    summary: 'Fetch the repositories at once',
    headers: [
      ...SIGNATURES.map((name) => ({
        name,
        description: `HMAC-SHA-256 of the body by the secret, in hexadecimal digits. ${ONE}`,
        schema: ANY_TEXT,
      })),
      { name: 'X-Gitlab-Token', description: `The token. ${ONE}`, schema: ANY_TEXT },
    ],
    body: {
      description: 'The event of the git host. Its content does not matter.',
      types: ['application/json'],
      required: false,
      schema: {},
    },
    answers: [
      answer(200, 'The names of the backends that were refreshed.', {
        'application/json': { schema: { type: 'array', items: { type: 'string' } } },
      }),
      jsonError(400, 'The body ended early.'),
      jsonError(403, 'The request has neither a signature with the secret nor the token.'),
      jsonError(404, 'Neither a secret nor a token is set, so there is no webhook.'),
      jsonError(413, 'The body has more than 1 MiB.'),
      jsonError(415, 'The body is compressed.'),
      ...serverErrors(jsonError),
    ],
  },
  other: REFUSES_OTHERS,
});
