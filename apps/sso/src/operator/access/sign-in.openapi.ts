// Describes /sign-in, /sign-out and the console. @see docs/operators-api.md
import {
  answer,
  type ErrorAnswer,
  ON_HTML,
  plain,
  response,
  TEXT_TYPE,
} from '../../../../../test/support/openapi/answers.js';
import {
  describeRoutes,
  REFUSES_OTHERS,
  type Schema,
} from '../../../../../test/support/openapi/describe.js';
import { ConsoleController } from '../console.controller.js';
import { SignInController } from './sign-in.controller.js';

const TEXT: Schema = { type: 'string' };
const REDIRECT = ['Cache-Control', 'X-Content-Type-Options', 'Location'] as const;

/** A page for browsers, and text for programs. */
const refusal: ErrorAnswer = (status, description, ...headers) =>
  answer(
    status,
    description,
    { [TEXT_TYPE]: { schema: TEXT }, 'text/html': { schema: TEXT } },
    ...headers,
  );

describeRoutes(SignInController, {
  signIn: {
    tag: 'console',
    summary: 'Sign in through the login page',
    query: [
      { name: 'ticket', description: 'The service ticket, from the login page.', schema: TEXT },
      { name: 'state', description: 'Of the browser that began.', schema: TEXT },
    ],
    answers: [
      response(303, 'On to the login page, or with a ticket to the console.', undefined, REDIRECT),
      refusal(400, 'A parameter is given twice.'),
      refusal(403, 'The ticket is refused, or this browser has not begun.'),
      refusal(503, 'The database is unavailable.', 'Retry-After'),
    ],
  },
  receiveLogoutMessage: {
    tag: 'console',
    summary: 'Take a logout message, which changes nothing',
    answers: [plain(200, 'It is taken.')],
  },
  signOut: {
    tag: 'console',
    summary: 'End the access of this browser',
    answers: [
      response(303, 'On to the logout page.', undefined, REDIRECT),
      plain(403, 'The form was sent by another site.'),
    ],
  },
  otherSignIn: REFUSES_OTHERS,
  otherSignOut: REFUSES_OTHERS,
});

describeRoutes(ConsoleController, {
  begin: {
    tag: 'console',
    summary: 'On to the console',
    answers: [response(303, 'The console.', undefined, REDIRECT)],
  },
  sendFile: {
    tag: 'console',
    summary: 'A script or style of the console',
    path: [{ name: 'name', description: 'The name of the file.', schema: TEXT }],
    answers: [
      response(200, 'The file.', { '*/*': { schema: TEXT } }, ['X-Content-Type-Options']),
      plain(404, 'There is no such file.'),
    ],
  },
  show: {
    tag: 'console',
    summary: 'The console',
    path: [{ name: 'path', description: 'What the console shows.', schema: TEXT }],
    answers: [
      response(200, 'The page.', { 'text/html': { schema: TEXT } }, ON_HTML),
      response(303, 'To the same page at the host of the console.', undefined, REDIRECT),
    ],
  },
  other: REFUSES_OTHERS,
});
