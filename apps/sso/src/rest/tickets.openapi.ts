// Describes the routes /v1/tickets. @see docs/protocol.md, "REST tickets"
import {
  ANY_TEXT,
  answer,
  links,
  plain,
  serverErrors,
  text,
  TEXT_TYPE,
} from '../../../../test/support/openapi/answers.js';
import {
  type Body,
  describeRoutes,
  REFUSES_OTHERS,
  type Schema,
} from '../../../../test/support/openapi/describe.js';
import {
  FLAG,
  FORM,
  line,
  SERVICE,
  THROTTLED,
  TICKET_IN_PATH,
  UNREADABLE_FORM,
} from '../parameters.openapi.js';
import { TicketsController } from './tickets.controller.js';

const TAG = 'tickets';
const REFUSED: Schema = {
  type: 'object',
  required: ['authentication_exceptions'],
  properties: {
    authentication_exceptions: { type: 'array', items: { type: 'string' } },
  },
  example: { authentication_exceptions: ['FailedLoginException'] },
};
/** The texts that say what is wrong with a request, or the JSON for refused credentials. */
const REFUSED_OR_TEXT = {
  'application/json': { schema: REFUSED },
  [TEXT_TYPE]: { schema: ANY_TEXT, example: 'missing: username, password' },
};
const DESCRIPTION =
  'Creates a ticket-granting ticket (TGT). Its id is the last segment of `Location`. The first type in `Accept` selects the body: a page for `*/*` and `text/html`, else text.';

const CREDENTIALS = {
  username: line(255, 'casuser'),
  password: { type: 'string', minLength: 1, example: 'Mellon' },
} satisfies Record<string, Schema>;

const LOGIN: Body = {
  description:
    'User name and password. With module `rest-x509`: a certificate instead. Other fields are passed to the authentication handlers.',
  types: [FORM],
  required: true,
  schema: {
    type: 'object',
    properties: {
      ...CREDENTIALS,
      cert: {
        type: 'string',
        description: 'A PEM certificate, or DER in Base64. Only with module `rest-x509`.',
      },
    },
    required: ['username', 'password'],
    example: { username: 'casuser', password: 'Mellon' },
  },
};

const GRANT: Body = {
  description: 'The service; with `renew` also the credentials of the user.',
  types: [FORM],
  required: true,
  schema: {
    type: 'object',
    properties: {
      service: { ...SERVICE, description: 'The URL of the service that will validate the ticket.' },
      targetService: { ...SERVICE, minLength: 0, description: 'Used if `service` is absent.' },
      renew: { ...FLAG, description: 'Checks the credentials again, so that this is a new login.' },
      ...CREDENTIALS,
    },
    anyOf: [{ required: ['service'] }, { required: ['targetService'] }],
    example: { service: 'https://app.example.org/' },
  },
};

const CREDENTIALS_REFUSED = answer(401, 'The credentials are refused, in dialect `apereo`.', {
  'application/json': { schema: REFUSED },
});
const MALFORMED = answer(
  400,
  'A field is missing, malformed, repeated or in the query. In dialect `documented` also: the credentials are refused (JSON).',
  REFUSED_OR_TEXT,
);

describeRoutes(
  TicketsController,
  {
    create: {
      tag: TAG,
      summary: 'Log in',
      description: DESCRIPTION,
      body: LOGIN,
      answers: [
        answer(
          201,
          'Logged in. The body is the id of the TGT, or a page with a form for a service ticket.',
          { [TEXT_TYPE]: { schema: ANY_TEXT }, 'text/html': { schema: ANY_TEXT } },
          'Location',
        ),
        MALFORMED,
        CREDENTIALS_REFUSED,
        ...UNREADABLE_FORM,
        ...THROTTLED,
        ...serverErrors(plain),
      ],
    },
    grant: {
      tag: TAG,
      summary: 'Get a service ticket',
      names: { tgt: 'ticket' },
      path: [{ ...TICKET_IN_PATH, description: 'The id of a TGT.' }],
      body: GRANT,
      answers: [
        text(200, 'The id of the service ticket.', 'ST-1aBcDeFgHiJkLmNoPqRsTuV'),
        links(200, {
          validate: {
            operationId: 'get_p3_serviceValidate',
            parameters: { ticket: '$response.body', service: '$request.body#/service' },
          },
          status: {
            operationId: 'get_v1_tickets_ticket',
            parameters: { ticket: '$response.body' },
          },
        }),
        MALFORMED,
        CREDENTIALS_REFUSED,
        plain(
          403,
          'The service is not registered, disabled, not allowed, or requires a new login.',
        ),
        text(404, 'Not the id of a valid TGT.', 'TicketGrantingTicket could not be found'),
        ...UNREADABLE_FORM,
        ...THROTTLED,
        ...serverErrors(plain),
      ],
    },
    status: {
      tag: TAG,
      summary: 'Check whether a ticket is valid',
      description: 'Neither consumes nor extends the ticket.',
      answersHead: true,
      path: [TICKET_IN_PATH],
      answers: [
        text(200, 'The id.', 'TGT-…'),
        plain(400, 'The path is not well-formed.'),
        text(404, 'No such ticket.', 'Ticket could not be found'),
        ...serverErrors(plain),
      ],
    },
    destroy: {
      tag: TAG,
      summary: 'Log out, or delete a ticket',
      description: 'Idempotent: an unknown id has the same answer.',
      path: [TICKET_IN_PATH],
      answers: [
        text(200, 'The id.', 'TGT-…'),
        plain(400, 'Not the form of a ticket id.'),
        ...serverErrors(plain),
      ],
    },
    otherOnCollection: REFUSES_OTHERS,
    otherOnTicket: REFUSES_OTHERS,
  },
  'rest',
);
