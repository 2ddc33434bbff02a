// Describes the routes of the operator's API about the server. @see docs/operators-api.md
import { AUDIT_ACTIONS, AUDIT_OUTCOMES } from '@tessera/audit';
import { answer, ANY_TEXT } from '../../../../../test/support/openapi/answers.js';
import {
  describeRoutes,
  REFUSES_OTHERS,
  type Schema,
} from '../../../../../test/support/openapi/describe.js';
import {
  FLAG,
  json,
  MALFORMED,
  object,
  PAGE,
  pageOf,
  route,
  TEXT,
  TEXT_OR_NULL,
  TIME,
} from '../answers.openapi.js';
import { AuditApiController } from './audit-api.controller.js';
import { StateApiController } from './state-api.controller.js';

const OUTCOME: Schema = { type: 'string', enum: [...AUDIT_OUTCOMES] };
const MICROSECONDS = '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d{1,6})?Z$';
const SINCE: Schema = { type: 'string', pattern: MICROSECONDS, example: '2026-11-24T08:00:00Z' };
const EVENT = object({
  id: TEXT,
  occurredAt: TIME,
  action: TEXT,
  outcome: OUTCOME,
  reason: TEXT_OR_NULL,
  user: TEXT_OR_NULL,
  subject: TEXT_OR_NULL,
  service: TEXT_OR_NULL,
  session: TEXT_OR_NULL,
  clientAddress: TEXT_OR_NULL,
  requestId: TEXT_OR_NULL,
  application: TEXT,
  node: TEXT,
  details: { type: ['object', 'null'], additionalProperties: true },
});

describeRoutes(AuditApiController, {
  list: route('audit', {
    summary: 'Events of the audit trail, the newest first',
    query: [
      { name: 'user', description: 'Who did it.', schema: TEXT },
      { name: 'service', description: 'The start of the URL.', schema: TEXT },
      {
        name: 'action',
        description: 'What was done.',
        schema: { type: 'string', enum: [...AUDIT_ACTIONS] },
      },
      { name: 'outcome', description: 'How it ended.', schema: OUTCOME },
      { name: 'since', description: 'Inclusive.', schema: SINCE },
      { name: 'until', description: 'Exclusive.', schema: SINCE },
      ...PAGE,
    ],
    answers: [json(200, 'A page.', pageOf(EVENT)), MALFORMED],
  }),
  other: REFUSES_OTHERS,
});

const SETTING = object({
  key: TEXT,
  value: TEXT,
  origin: TEXT,
  isLive: FLAG,
  restartNeeded: FLAG,
});
const CHECK = object({ status: { type: 'string', enum: ['up', 'down'] }, message: TEXT }, [
  'message',
]);

describeRoutes(StateApiController, {
  me: route('server', {
    summary: 'The caller',
    answers: [
      json(
        200,
        'Name and role.',
        object({
          name: TEXT,
          role: { type: 'string', enum: ['operator', 'read-only'] },
          via: { type: 'string', enum: ['session', 'token'] },
          ssoUrl: TEXT,
          version: TEXT,
        }),
      ),
    ],
  }),
  settings: route('server', {
    summary: 'All settings with their origins, secrets masked',
    answers: [
      json(
        200,
        'The settings.',
        object({
          items: { type: 'array', items: SETTING },
        }),
      ),
    ],
  }),
  health: route('server', {
    summary: 'Whether the database answers',
    answers: [
      json(
        200,
        'The report.',
        object({
          status: { type: 'string', enum: ['ok', 'error'] },
          details: { type: 'object', additionalProperties: CHECK },
        }),
      ),
    ],
  }),
  description: route('server', {
    summary: 'This description',
    answers: [json(200, 'OpenAPI 3.1.', { type: 'object' })],
  }),
  metrics: route('server', {
    summary: 'The metrics, in the text format of Prometheus',
    answers: [answer(200, 'The metrics.', { 'text/plain': { schema: ANY_TEXT } })],
  }),
  other: REFUSES_OTHERS,
});
