// Parameters and errors that several routes of the config server share, for their descriptions.
import { answer, type ErrorAnswer } from '../../../test/support/openapi/answers.js';
import type { Parameter, Schema } from '../../../test/support/openapi/describe.js';

const NAME = '[A-Za-z0-9_-][A-Za-z0-9._-]*';
const NAME_WITHOUT_HYPHEN = '[A-Za-z0-9_][A-Za-z0-9._]*';

/** At most 32 names, with commas. */
function names(example: string, name = NAME): Schema {
  return { type: 'string', pattern: `^${name}(,${name}){0,31}$`, example };
}

export const PROFILES_WITHOUT_HYPHEN = names('prod', NAME_WITHOUT_HYPHEN);

export const APPLICATION: Parameter = {
  name: 'application',
  description: 'One application, or several with commas. `(_)` stands for a slash.',
  schema: names('orders'),
};
export const PROFILES: Parameter = {
  name: 'profiles',
  description: 'One profile, or several with commas; the last one has the highest precedence.',
  schema: names('prod'),
};
export const LABEL: Parameter = {
  name: 'label',
  description: 'A branch, tag or commit of git. `(_)` stands for a slash.',
  schema: names('main'),
};

/** One of them is enough. Without `config-server.clients`, programs of the same machine need none. */
export const SECURITY = ['basic', 'bearer'];

const JSON_ERROR: Schema = {
  type: 'object',
  required: ['timestamp', 'status', 'error', 'path', 'message'],
  properties: {
    timestamp: { type: 'string' },
    status: { type: 'integer' },
    error: { type: 'string' },
    path: { type: 'string' },
    message: { type: 'string' },
  },
};
const ENCRYPTION_ERROR: Schema = {
  type: 'object',
  required: ['description', 'status'],
  properties: {
    description: { type: 'string' },
    status: {
      type: 'string',
      enum: [
        'INVALID',
        'UNAUTHORIZED',
        'FORBIDDEN',
        'NO_KEY',
        'NOT_FOUND',
        'METHOD_NOT_ALLOWED',
        'TOO_LARGE',
        'UNSUPPORTED_MEDIA_TYPE',
        'THROTTLED',
        'ERROR',
        'UNAVAILABLE',
      ],
    },
  },
};

export const jsonError: ErrorAnswer = (status, description, ...headers) =>
  answer(status, description, { 'application/json': { schema: JSON_ERROR } }, ...headers);

export const encryptionError: ErrorAnswer = (status, description, ...headers) =>
  answer(status, description, { 'application/json': { schema: ENCRYPTION_ERROR } }, ...headers);

/** The answers to callers that are refused. */
export function refusedCallers(error: ErrorAnswer): readonly MethodDecorator[] {
  return [
    error(401, 'No credentials, or wrong ones.', 'WWW-Authenticate'),
    error(403, 'The client lacks the permission, or has no right to these names.'),
    error(429, 'Too many failures or requests.', 'Retry-After'),
  ];
}
