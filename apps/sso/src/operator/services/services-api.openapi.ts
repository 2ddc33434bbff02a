// Describes the routes /api/v1/services. @see docs/operators-api.md
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
  TEXT_OR_NULL,
} from '../answers.openapi.js';
import { REFUSAL_REASONS } from './dry-run.js';
import { ServicesApiController } from './services-api.controller.js';

const TAG = 'services';
const ID = { name: 'id', description: 'The id of a service.', schema: TEXT };

const kinds = (...names: readonly string[]): Schema => ({ type: 'string', enum: [...names] });

const orNull = (schema: Schema): Schema => ({ anyOf: [schema, { type: 'null' }] });

const ORDER: Schema = { type: 'integer', minimum: -2_147_483_648, maximum: 2_147_483_647 };
const DEFINITION = {
  serviceId: { ...TEXT, minLength: 1, maxLength: 2_000 },
  name: { ...TEXT, minLength: 1, maxLength: 255 },
  description: { ...TEXT, maxLength: 2_000 },
  evaluationOrder: ORDER,
  enabled: FLAG,
  ssoEnabled: FLAG,
  requiredAttributes: LISTS,
  attributeRelease: object(
    {
      kind: kinds('none', 'all', 'allowed', 'mapped'),
      names: { anyOf: [{ type: 'array', items: TEXT }, LISTS] },
    },
    ['names'],
  ),
  usernameAttribute: object({ kind: kinds('principal', 'attribute', 'anonymous'), name: TEXT }, [
    'name',
  ]),
  proxyPolicy: object({ kind: kinds('refuse', 'pattern'), pattern: TEXT }, ['pattern']),
  logoutType: kinds('none', 'back', 'front'),
  logoutUrl: TEXT_OR_NULL,
  properties: { type: 'object', additionalProperties: TEXT },
} satisfies Record<string, Schema>;
const OPTIONAL = Object.keys(DEFINITION).filter((name) => !['serviceId', 'name'].includes(name));

const GIVEN = object(DEFINITION, OPTIONAL);
const REPLACING = object({ id: TEXT, ...DEFINITION }, ['id', ...OPTIONAL]);
const STORED = object({ id: TEXT, ...DEFINITION });
const NOTES: Schema = {
  type: 'array',
  items: object({ member: TEXT, note: TEXT, kind: kinds('without-effect', 'not-understood') }),
};
const SHADOW = object({ id: TEXT, name: TEXT, evaluationOrder: ORDER, url: TEXT });

const DRY_RUN = object(
  {
    url: { ...TEXT, maxLength: 4_000 },
    user: { ...TEXT, maxLength: 255 },
    attributes: LISTS,
    definition: GIVEN,
    replaces: { ...TEXT, pattern: '^[0-9]{1,18}$' },
  },
  ['user', 'attributes', 'definition', 'replaces'],
);
const RESULT = object({
  matches: {
    type: 'array',
    items: object({
      id: TEXT_OR_NULL,
      name: TEXT,
      evaluationOrder: ORDER,
      enabled: FLAG,
      isDraft: FLAG,
    }),
  },
  decision: kinds('allowed', 'refused'),
  reason: orNull(kinds(...REFUSAL_REASONS)),
  detail: TEXT,
  missingAttributes: LISTS,
  released: orNull(object({ user: TEXT_OR_NULL, attributes: LISTS })),
  logout: orNull(object({ type: kinds('none', 'back', 'front'), url: TEXT })),
});

const INVALID = problem(400, 'The definition is invalid, with all violations; nothing is stored.');
const DEFINED = bodyOf('A service. Missing fields have their defaults.', GIVEN);
const FILE = bodyOf('A file of Apereo CAS, with comments.', { type: 'object' });

describeRoutes(ServicesApiController, {
  list: route(TAG, {
    summary: 'The services, in evaluation order',
    query: [
      { name: 'text', description: 'In the name or the pattern, or the id.', schema: TEXT },
      ...PAGE,
    ],
    answers: [json(200, 'A page.', pageOf(STORED)), MALFORMED],
  }),
  add: route(TAG, {
    summary: 'Register a service',
    description: 'A file of Apereo CAS is taken, too: it has a member `@class`.',
    body: DEFINED,
    answers: [
      tagged(
        201,
        'Registered.',
        object({ service: STORED, notes: NOTES, shadowedBy: orNull(SHADOW) }),
      ),
      INVALID,
    ],
  }),
  convert: route(TAG, {
    summary: 'Read a file of Apereo CAS, and store nothing',
    body: FILE,
    answers: [
      json(200, 'The definition.', object({ definition: object(DEFINITION), notes: NOTES })),
      INVALID,
    ],
  }),
  tryUrl: route(TAG, {
    summary: 'Which service gets a URL, and what it would be told',
    body: bodyOf('The URL, and whoever wants to use it.', DRY_RUN),
    answers: [json(200, 'The decision.', RESULT), INVALID],
  }),
  show: route(TAG, {
    summary: 'A service',
    path: [ID],
    answers: [tagged(200, 'The service.', STORED), NOT_FOUND],
  }),
  replace: route(TAG, {
    summary: 'Replace the definition of a service',
    path: [ID],
    headers: [IF_MATCH],
    body: bodyOf(
      'A service. Missing fields have their defaults. An `id` must be that of the path.',
      REPLACING,
    ),
    answers: [tagged(200, 'The service.', STORED), INVALID, NOT_FOUND, ...PRECONDITIONS],
  }),
  remove: route(TAG, {
    summary: 'Remove a service',
    path: [ID],
    headers: [IF_MATCH],
    answers: [NO_CONTENT, NOT_FOUND, ...PRECONDITIONS],
  }),
  otherList: REFUSES_OTHERS,
  otherTrial: REFUSES_OTHERS,
  other: REFUSES_OTHERS,
});
