// Describes the routes /api/v1/sessions. @see docs/operators-api.md
import { describeRoutes, REFUSES_OTHERS } from '../../../../../test/support/openapi/describe.js';
import {
  COUNT,
  FLAG,
  json,
  MALFORMED,
  NO_CONTENT,
  NOT_FOUND,
  object,
  PAGE,
  pageOf,
  route,
  TEXT,
  TIME,
} from '../answers.openapi.js';
import { SessionsApiController } from './sessions-api.controller.js';

const TAG = 'sessions';
const ID = { name: 'id', description: 'The id of a session.', schema: TEXT };
const USER = { name: 'user', description: 'The name of a user.', schema: TEXT };

const FIELDS = {
  id: TEXT,
  user: TEXT,
  handler: TEXT,
  credentialType: TEXT,
  authenticatedAt: TIME,
  lastUsedAt: TIME,
  expiresAt: TIME,
  isRemembered: FLAG,
  isOwn: FLAG,
};
const SERVICES = { type: 'array', items: object({ service: TEXT, tickets: COUNT }) } as const;

describeRoutes(SessionsApiController, {
  list: route(TAG, {
    summary: 'Live sessions, the last login first',
    query: [USER, ...PAGE],
    answers: [json(200, 'A page.', pageOf(object(FIELDS))), MALFORMED],
  }),
  show: route(TAG, {
    summary: 'A session, with the services that are told of its end',
    path: [ID],
    answers: [json(200, 'The session.', object({ ...FIELDS, services: SERVICES })), NOT_FOUND],
  }),
  end: route(TAG, {
    summary: 'End a session',
    description: 'Its services are told by logout messages.',
    path: [ID],
    answers: [NO_CONTENT, NOT_FOUND],
  }),
  endAll: route(TAG, {
    summary: 'End all sessions of a user',
    query: [{ ...USER, required: true }],
    answers: [json(200, 'How many have ended.', object({ ended: COUNT })), MALFORMED],
  }),
  otherList: REFUSES_OTHERS,
  other: REFUSES_OTHERS,
});
