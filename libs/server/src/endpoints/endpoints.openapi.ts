// Describes the endpoints that every application has: the health checks, the reload and the front page.
import {
  ANY_TEXT,
  answer,
  type ErrorAnswer,
  ON_HTML,
  response,
} from '../../../../test/support/openapi/answers.js';
import {
  describeRoutes,
  REFUSES_OTHERS,
  type Schema,
} from '../../../../test/support/openapi/describe.js';
import { FrontPageController } from './front-page.module.js';
import { HealthController } from './health.module.js';
import { RefreshController } from './refresh.module.js';

const STATUS: Schema = { type: 'string', enum: ['ok', 'error', 'shutting_down'] };
const CHECKS: Schema = {
  type: 'object',
  additionalProperties: {
    type: 'object',
    required: ['status'],
    properties: { status: { type: 'string', enum: ['up', 'down'] } },
  },
};
const REPORT: Schema = {
  type: 'object',
  required: ['status', 'info', 'error', 'details'],
  properties: { status: STATUS, info: CHECKS, error: CHECKS, details: CHECKS },
};
const HEALTH = { 'application/json': { schema: REPORT } };
const VIOLATIONS: Schema = {
  type: 'object',
  required: ['code', 'message', 'problems'],
  properties: {
    code: { type: 'string', enum: ['SETTINGS_INVALID'] },
    message: { type: 'string' },
    problems: { type: 'array', items: { type: 'string' } },
  },
};
const CHANGED: Schema = {
  type: 'array',
  items: { type: 'string' },
  example: ['sso.tickets.st.lifetime'],
};

/** @param error of the application @param throttled its statuses for too many failures */
export function describeEndpoints(error: ErrorAnswer, throttled: readonly number[]): void {
  const internal = error(500, 'An error in the server. Its cause is in the log.');
  describeRoutes(HealthController, {
    live: {
      tag: 'health',
      summary: 'Whether the process answers',
      answersHead: true,
      answers: [answer(200, 'The process answers.', HEALTH), internal],
    },
    ready: {
      tag: 'health',
      summary: 'Whether requests can be served',
      answersHead: true,
      answers: [
        answer(200, 'Requests can be served.', HEALTH),
        internal,
        answer(503, 'The failed checks.', HEALTH),
      ],
    },
    refuseOtherMethods: REFUSES_OTHERS,
  });
  describeRoutes(RefreshController, {
    reload: {
      tag: 'management',
      summary: 'Reload the settings',
      description:
        'The body is ignored; it may have 64 KiB. Who may call depends on the settings: see docs/reload.md.',
      security: ['bearer', 'basic'],
      answers: [
        answer(200, 'The keys that changed.', { 'application/json': { schema: CHANGED } }),
        error(401, 'No credentials, or wrong ones.', 'WWW-Authenticate'),
        error(403, 'The caller may not reload.'),
        answer(409, 'The new settings are invalid. Nothing was changed.', {
          'application/json': { schema: VIOLATIONS },
        }),
        error(413, 'The body has more than 64 KiB.'),
        ...throttled.map((status) =>
          error(status, 'Too many failures or requests.', 'Retry-After'),
        ),
        internal,
        error(503, 'Temporarily unavailable.', 'Retry-After'),
      ],
    },
    other: REFUSES_OTHERS,
  });
  describeRoutes(FrontPageController, {
    show: {
      tag: 'health',
      summary: 'The front page',
      methods: ['get'],
      answersHead: true,
      answers: [
        response(
          200,
          'A page for browsers, the same for every caller.',
          {
            'text/html': { schema: ANY_TEXT },
          },
          ON_HTML,
        ),
        internal,
      ],
    },
  });
}
