// Describes the webhook. @see docs/config-server.md, "Webhook"
import { ANY_TEXT, answer, serverErrors } from '../../../../test/support/openapi/answers.js';
import { describeRoutes, REFUSES_OTHERS } from '../../../../test/support/openapi/describe.js';
import { jsonError } from '../answers.openapi.js';
import { MonitorController } from './monitor.controller.js';

const SIGNATURES = ['X-Hub-Signature-256', 'X-Hub-Signature', 'X-Gitea-Signature'];

describeRoutes(MonitorController, {
  refresh: {
    tag: 'webhook',
    summary: 'Fetch the repositories at once',
    headers: SIGNATURES.map((name) => ({
      name,
      description: 'HMAC-SHA-256 of the body by the secret, in hexadecimal digits. One is enough.',
      schema: ANY_TEXT,
    })),
    body: {
      description: 'The event of the git host. Only its signature matters.',
      types: ['application/json'],
      required: false,
      schema: {},
    },
    answers: [
      answer(200, 'The names of the backends that were refreshed.', {
        'application/json': { schema: { type: 'array', items: { type: 'string' } } },
      }),
      jsonError(400, 'The body ended early.'),
      jsonError(403, 'The request is not signed with the secret.'),
      jsonError(404, 'No secret is set, so there is no webhook.'),
      jsonError(413, 'The body has more than 1 MiB.'),
      jsonError(415, 'The body is compressed.'),
      ...serverErrors(jsonError),
    ],
  },
  other: REFUSES_OTHERS,
});
