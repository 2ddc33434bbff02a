// Describes the routes /api/v1/logout-messages. @see docs/operators-api.md
import { describeRoutes, REFUSES_OTHERS } from '../../../../../test/support/openapi/describe.js';
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
  TIME,
} from '../answers.openapi.js';
import { LogoutMessagesApiController } from './logout-messages-api.controller.js';

const TAG = 'logout messages';
const DISABLED = problem(404, 'Single logout is disabled.');
const MESSAGE = object({
  id: TEXT,
  user: TEXT,
  service: TEXT,
  endedAt: TIME,
  failedAt: TIME,
  reason: TEXT,
});
const IDS = { type: 'array', items: TEXT, minItems: 1, maxItems: 1_000 } as const;

describeRoutes(LogoutMessagesApiController, {
  list: route(TAG, {
    summary: 'The messages that have failed, the oldest first',
    query: PAGE,
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
