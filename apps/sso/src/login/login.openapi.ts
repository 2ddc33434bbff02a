// Describes the pages for browsers. @see docs/login.md
import { Controller, Get } from '@nestjs/common';
import {
  ANY_TEXT,
  page,
  plain,
  response,
  serverErrors,
  TEXT_TYPE,
} from '../../../../test/support/openapi/answers.js';
import {
  type Body,
  describeRoutes,
  type Parameter,
  REFUSES_OTHERS,
  type Schema,
} from '../../../../test/support/openapi/describe.js';
import { FLAG, FORM, line, RENEW, SERVICE } from '../parameters.openapi.js';
import { LoginController } from './login.controller.js';
import { LogoutController } from './logout.controller.js';
import { SessionsController } from './sessions.controller.js';
import { ThemeController } from './theme.controller.js';

const TAG = 'browser';

/** An empty one counts as absent. */
const OPTIONAL_SERVICE: Schema = { ...SERVICE, minLength: 0 };

const LOCALE: Parameter = {
  name: 'locale',
  description: 'The language of the page. Without it, `Accept-Language` decides.',
  schema: { type: 'string', example: 'en' },
};
const QUERY: readonly Parameter[] = [
  {
    name: 'service',
    description: 'The application that gets the ticket.',
    schema: OPTIONAL_SERVICE,
  },
  {
    name: 'TARGET',
    description: 'The same, for SAML 1.1: `SAMLart` has the ticket.',
    schema: OPTIONAL_SERVICE,
  },
  RENEW,
  { name: 'gateway', description: 'Shows nothing; goes back without a session.', schema: FLAG },
  { name: 'method', description: '`POST`: the ticket comes in a form.', schema: ANY_TEXT },
  { name: 'warn', description: 'This choice of the form is made already.', schema: FLAG },
  LOCALE,
];
const FROM_BROWSER: readonly Parameter[] = [
  {
    name: 'Sec-Fetch-Site',
    description: 'Set by browsers. A form from another site is refused.',
    schema: { type: 'string', enum: ['same-origin', 'none', 'same-site', 'cross-site'] },
  },
];

const LOGIN_FORM: Body = {
  description: 'The form of the page, with its hidden fields.',
  types: [FORM],
  required: true,
  schema: {
    type: 'object',
    properties: {
      username: line(255, 'casuser'),
      password: { type: 'string', minLength: 1, example: 'Mellon' },
      execution: { type: 'string', description: 'The state of the form; from the page.' },
      _eventId: { type: 'string', example: 'submit' },
      warn: { ...FLAG, description: 'Ask before each further application.' },
      rememberMe: { ...FLAG, description: 'A long session.' },
    },
    required: ['username', 'password', 'execution'],
  },
};

const REDIRECT = response(
  302,
  'On to the application, or to the page of the session.',
  { [TEXT_TYPE]: { schema: { type: 'string', maxLength: 0 } } },
  ['Cache-Control', 'X-Content-Type-Options', 'Location', 'Referrer-Policy'],
);
const UNREADABLE: readonly MethodDecorator[] = [
  page(413, 'The form has more than 64 KiB.'),
  page(415, 'The entity is not a form in UTF-8, or it is compressed.'),
];

describeRoutes(
  LoginController,
  {
    show: {
      tag: TAG,
      summary: 'Show the login form, or go on in a session',
      description: 'HEAD is answered as without a session.',
      answersHead: true,
      query: QUERY,
      answers: [
        page(200, 'The form, the session, a confirmation, or a form with the ticket.'),
        REDIRECT,
        page(400, 'A parameter is malformed, repeated or not for the query.'),
        page(403, 'The application is not registered, disabled, or not for this user.'),
        ...serverErrors(page),
      ],
    },
    submit: {
      tag: TAG,
      summary: 'Send the login form',
      query: QUERY,
      headers: FROM_BROWSER,
      body: LOGIN_FORM,
      answers: [
        page(200, 'A confirmation, or a form with the ticket.'),
        REDIRECT,
        page(400, 'A field is missing or malformed, or the form has expired or was used.'),
        page(401, 'The credentials are refused.'),
        page(403, 'The application may not be used, or another site sent the form.'),
        ...UNREADABLE,
        page(423, 'Too many failed logins, in dialect `apereo`.', 'Retry-After'),
        page(429, 'Too many failed logins or too many requests.', 'Retry-After'),
        ...serverErrors(page),
      ],
    },
    other: REFUSES_OTHERS,
  },
  'login',
);

describeRoutes(
  SessionsController,
  {
    confirm: {
      tag: TAG,
      summary: 'Ask before all other sessions of the user end',
      answersHead: true,
      query: [LOCALE],
      answers: [page(200, 'The question.'), REDIRECT, ...serverErrors(page)],
    },
    end: {
      tag: TAG,
      summary: 'End other sessions of the user',
      headers: FROM_BROWSER,
      body: {
        description: 'One session, or without it all others.',
        types: [FORM],
        required: true,
        schema: {
          type: 'object',
          properties: { session: { type: 'string', description: 'From the page of the session.' } },
        },
      },
      answers: [
        REDIRECT,
        page(400, 'A field is malformed or repeated.'),
        page(403, 'Another site sent the form.'),
        ...UNREADABLE,
        ...serverErrors(page),
      ],
    },
    other: REFUSES_OTHERS,
  },
  'login',
);

const LOGOUT_SERVICE: Parameter = {
  name: 'service',
  description: 'Where to go on to, if it is registered and enabled.',
  schema: OPTIONAL_SERVICE,
};
const LOGGED_OUT: readonly MethodDecorator[] = [
  page(200, 'Logged out. The page may contain frames for the front channel.'),
  REDIRECT,
  page(400, 'A parameter is malformed or repeated.'),
  ...serverErrors(page),
];

describeRoutes(
  LogoutController,
  {
    show: {
      tag: TAG,
      summary: 'Log out',
      query: [LOGOUT_SERVICE, LOCALE],
      answers: LOGGED_OUT,
    },
    submit: {
      tag: TAG,
      summary: 'Log out',
      // Nothing reads it where the form has a service.
      query: [{ ...LOGOUT_SERVICE, schema: ANY_TEXT }, LOCALE],
      body: {
        description: 'The service, if it is not in the query.',
        types: [FORM],
        required: false,
        schema: { type: 'object', properties: { service: OPTIONAL_SERVICE } },
      },
      answers: [...LOGGED_OUT, ...UNREADABLE],
    },
    other: REFUSES_OTHERS,
  },
  'login',
);

describeRoutes(
  ThemeController,
  {
    show: {
      tag: TAG,
      summary: 'The colours of the pages',
      answersHead: true,
      answers: [
        response(200, 'A style sheet.', { 'text/css': { schema: ANY_TEXT } }, [
          'Cache-Control',
          'X-Content-Type-Options',
        ]),
        plain(500, 'An error in the server. Its cause is in the log.'),
      ],
    },
    other: REFUSES_OTHERS,
  },
  'login',
);

/** Express serves these files from directories. */
@Controller('assets')
export class AssetsController {
  @Get(':file')
  show(): void {}
}

describeRoutes(
  AssetsController,
  {
    show: {
      tag: TAG,
      summary: 'A style sheet, script or image of the pages',
      answersHead: true,
      path: [
        {
          name: 'file',
          description: 'Its name.',
          schema: { type: 'string', minLength: 1, example: 'style.css' },
        },
      ],
      answers: [
        response(
          200,
          'The file.',
          {
            'text/css': { schema: ANY_TEXT },
            'text/javascript': { schema: ANY_TEXT },
            'image/svg+xml': { schema: ANY_TEXT },
          },
          ['Cache-Control', 'X-Content-Type-Options', 'ETag', 'Last-Modified'],
        ),
        response(304, 'The file has not changed.', undefined, ['ETag']),
        plain(400, 'The path is not well-formed.'),
        plain(404, 'No such file.'),
        plain(500, 'An error in the server. Its cause is in the log.'),
      ],
    },
  },
  'login',
);
