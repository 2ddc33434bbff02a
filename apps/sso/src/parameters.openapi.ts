// Parameters, fields and errors that several routes of the SSO share, for their descriptions.
import { plain } from '../../../test/support/openapi/answers.js';
import type { Parameter, Schema } from '../../../test/support/openapi/describe.js';
import { MAX_SERVICE_LENGTH, MAX_TICKET_LENGTH } from './protocol-parameters.js';

export const FORM = 'application/x-www-form-urlencoded';

/** A line of text: no control characters. */
export function line(maxLength: number, example?: string): Schema {
  return {
    type: 'string',
    minLength: 1,
    maxLength,
    pattern: String.raw`^[^\u0000-\u001f\u007f-\u009f]*$`,
    ...(example !== undefined && { example }),
  };
}

export const SERVICE = line(MAX_SERVICE_LENGTH, 'https://app.example.org/');
export const TICKET = line(MAX_TICKET_LENGTH);
/** Every value turns a flag on, except `false`, `0`, `no` and `off`. */
export const FLAG: Schema = { type: 'string', example: 'true' };

const TICKET_ID: Schema = { type: 'string', pattern: '^[A-Za-z0-9-]{1,256}$' };

export const TGT_IN_PATH: Parameter = {
  name: 'tgt',
  description: 'The id of a ticket-granting ticket.',
  schema: TICKET_ID,
};
export const TICKET_IN_PATH: Parameter = {
  name: 'ticket',
  description: 'The id of a ticket of any kind.',
  schema: TICKET_ID,
};

export const RENEW: Parameter = {
  name: 'renew',
  description:
    'Requires a ticket of a new login. Every value turns it on, except `false`, `0`, `no` and `off`.',
  schema: FLAG,
};

/** Answers to a form that cannot be read. */
export const UNREADABLE_FORM: readonly MethodDecorator[] = [
  plain(413, 'The form has more than 64 KiB.'),
  plain(415, 'The entity is not a form in UTF-8, or it is compressed.'),
];

export const THROTTLED: readonly MethodDecorator[] = [
  plain(423, 'As 429, in dialect `apereo`.', 'Retry-After'),
  plain(
    429,
    'Too many failed logins or too many requests, in dialect `documented`.',
    'Retry-After',
  ),
];
