// Describes the routes /api/v1/users. @see docs/operators-api.md
import {
  describeRoutes,
  REFUSES_OTHERS,
  type Schema,
} from '../../../../../test/support/openapi/describe.js';
import {
  bodyOf,
  FLAG,
  IF_MATCH,
  json,
  LISTS,
  MALFORMED,
  NO_CONTENT,
  NOT_FOUND,
  object,
  PAGE,
  pageOf,
  PRECONDITIONS,
  problem,
  route,
  tagged,
  TEXT,
  TIME,
  TIME_OR_NULL,
} from '../answers.openapi.js';
import { UsersApiController } from './users-api.controller.js';

const TAG = 'users';
const NAME = { name: 'name', description: 'The name of a user.', schema: TEXT };
const PASSWORD: Schema = { type: 'string', minLength: 1, maxLength: 1_000, writeOnly: true };

const STATE = { attributes: LISTS, disabled: FLAG, expiresAt: TIME_OR_NULL };
const USER = object({
  name: TEXT,
  ...STATE,
  expired: FLAG,
  createdAt: TIME,
  updatedAt: TIME,
  passwordChangedAt: TIME,
});
const ADDITION = object(
  { name: { ...TEXT, maxLength: 1_000 }, password: PASSWORD, ...STATE },
  Object.keys(STATE),
);
const EDIT = object({ password: PASSWORD, ...STATE }, ['password', ...Object.keys(STATE)]);

const INVALID = problem(400, 'A field is invalid; nothing is stored.');

describeRoutes(UsersApiController, {
  list: route(TAG, {
    summary: 'The users of the database, by name',
    query: [{ name: 'text', description: 'The start of the names.', schema: TEXT }, ...PAGE],
    answers: [json(200, 'A page.', pageOf(USER)), MALFORMED],
  }),
  add: route(TAG, {
    summary: 'Add a user',
    body: bodyOf('The user.', ADDITION),
    answers: [tagged(201, 'Added.', USER), INVALID, problem(409, 'The name is taken.')],
  }),
  show: route(TAG, {
    summary: 'A user',
    path: [NAME],
    answers: [tagged(200, 'The user.', USER), NOT_FOUND],
  }),
  change: route(TAG, {
    summary: 'Change a user',
    description:
      'Attributes that are not named stay; an attribute without values is removed. A new password, disabling and an ' +
      'expiry that has passed end the sessions of the user.',
    path: [NAME],
    headers: [IF_MATCH],
    body: bodyOf('What changes.', EDIT),
    answers: [tagged(200, 'The user.', USER), INVALID, NOT_FOUND, ...PRECONDITIONS],
  }),
  remove: route(TAG, {
    summary: 'Remove a user, whose sessions end',
    path: [NAME],
    headers: [IF_MATCH],
    answers: [NO_CONTENT, NOT_FOUND, ...PRECONDITIONS],
  }),
  otherList: REFUSES_OTHERS,
  other: REFUSES_OTHERS,
});
