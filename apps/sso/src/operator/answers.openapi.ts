// Answers and parameters that the routes of the operator's API have in common. @see docs/operators-api.md
import {
  answer,
  type ErrorAnswer,
  response,
  serverErrors,
} from '../../../../test/support/openapi/answers.js';
import type { Parameter, Route, Schema } from '../../../../test/support/openapi/describe.js';

export const TEXT: Schema = { type: 'string' };
export const FLAG: Schema = { type: 'boolean' };
export const TIME: Schema = { type: 'string', format: 'date-time' };
export const TEXT_OR_NULL: Schema = { type: ['string', 'null'] };
export const TIME_OR_NULL: Schema = {
  type: ['string', 'null'],
  format: 'date-time',
};
export const COUNT: Schema = { type: 'integer', minimum: 0 };
/** Lists of texts by name. */
export const LISTS: Schema = {
  type: 'object',
  additionalProperties: { type: 'array', items: TEXT },
};

/** An object with these fields. @param optional may be missing */
export function object(
  properties: Readonly<Record<string, Schema>>,
  optional: readonly string[] = [],
): Schema {
  const required = Object.keys(properties).filter((name) => !optional.includes(name));
  return { type: 'object', properties: { ...properties }, required };
}

export function json(status: number, description: string, schema: Schema): MethodDecorator {
  return answer(status, description, { 'application/json': { schema } });
}

/** A single resource, with its entity tag. */
export function tagged(status: number, description: string, schema: Schema): MethodDecorator {
  return answer(status, description, { 'application/json': { schema } }, 'ETag');
}

const PROBLEM = object(
  {
    type: TEXT,
    title: TEXT,
    status: { type: 'integer' },
    code: TEXT,
    detail: TEXT,
    violations: { type: 'array', items: object({ field: TEXT, reason: TEXT }) },
  },
  ['violations'],
);

export const problem: ErrorAnswer = (status, description, ...headers) =>
  answer(status, description, { 'application/problem+json': { schema: PROBLEM } }, ...headers);

export const NO_CONTENT = response(204, 'Done.', undefined, []);
export const NOT_FOUND = problem(404, 'There is none.');
export const MALFORMED = problem(400, 'The request is not well-formed; nothing is changed.');
export const PRECONDITIONS = [
  problem(412, 'It was changed meanwhile: `If-Match` is not its current `ETag`.'),
  problem(428, '`If-Match` is missing.'),
];
const BODY_ERRORS = [
  problem(413, 'The body has more than 256 KiB.'),
  problem(415, 'The body is not declared as JSON in UTF-8.'),
];

export const IF_MATCH: Parameter = {
  name: 'If-Match',
  description: 'The `ETag` of what is changed. It is required.',
  schema: TEXT,
};

export const PAGE: readonly Parameter[] = [
  {
    name: 'limit',
    description: 'How many items a page has at most.',
    schema: { type: 'integer', minimum: 1, maximum: 200, default: 50 },
  },
  { name: 'after', description: '`next` of the previous page.', schema: TEXT },
];

export function pageOf(item: Schema, others: Readonly<Record<string, Schema>> = {}): Schema {
  return object({ items: { type: 'array', items: item }, next: TEXT_OR_NULL, ...others });
}

/** A JSON body. */
export function bodyOf(description: string, schema: Schema): NonNullable<Route['body']> {
  return { description, types: ['application/json'], required: true, schema };
}

/** A route of the API, with the answers that all of them have. */
export function route(tag: string, description: Omit<Route, 'tag' | 'security'>): Route {
  return {
    tag,
    security: ['bearer'],
    ...description,
    answers: [
      ...description.answers,
      problem(401, 'The caller is not signed in.', 'WWW-Authenticate'),
      problem(403, 'The caller has no role for this, or is a page of another site.'),
      ...(description.body ? BODY_ERRORS : []),
      problem(429, 'Too many wrong tokens from this address.', 'Retry-After'),
      ...serverErrors(problem),
    ],
  };
}
