// Describes the routes /api/v1/logout-messages. @see docs/operators-api.md
import {
  describeRoutes,
  REFUSES_OTHERS,
  type Schema,
} from '../../../../../test/support/openapi/describe.js';
import {
  bodyOf,
  COUNT,
  json,
  MALFORMED,
  object,
  PAGE,
  pageOf,
  problem,
  route,
  TEXT,
  TEXT_OR_NULL,
  TIME,
  TIME_OR_NULL,
} from '../answers.openapi.js';
import { LogoutMessagesApiController, MESSAGE_STATES } from './logout-messages-api.controller.js';

const TAG = 'logout messages';
const DISABLED = problem(404, 'Single logout is disabled.');
const STATE: Schema = { type: 'string', enum: [...MESSAGE_STATES] };
const MESSAGE = object({
  id: TEXT,
  state: STATE,
  user: TEXT,
  service: TEXT,
  endedAt: TIME,
  attempts: COUNT,
  failedAt: TIME_OR_NULL,
  nextAttemptAt: TIME_OR_NULL,
  reason: TEXT_OR_NULL,
});
const IDS = { type: 'array', items: TEXT, minItems: 1, maxItems: 1_000 } as const;

describeRoutes(LogoutMessagesApiController, {
  list: route(TAG, {
    summary: 'The messages that have failed or wait, the oldest first',
    query: [
      {
        name: 'state',
        description: '`failed`, the default, or `waiting` for the next attempt.',
        schema: STATE,
      },
      ...PAGE,
    ],
    answers: [
      json(200, 'A page.', pageOf(MESSAGE, { pending: COUNT, failed: COUNT })),
      MALFORMED,
      DISABLED,
    ],
  }),
  retry: route(TAG, {
    summary: 'Send failed messages again',
    body: bodyOf('Which ones: their ids, or all.', {
      anyOf: [object({ ids: IDS }), object({ all: { type: 'boolean', enum: [true] } })],
    }),
    answers: [
      json(200, 'How many are sent again.', object({ retried: COUNT })),
      MALFORMED,
      DISABLED,
    ],
  }),
  otherList: REFUSES_OTHERS,
  other: REFUSES_OTHERS,
});
