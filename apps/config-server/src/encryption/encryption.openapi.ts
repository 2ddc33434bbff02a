// Describes the encryption endpoints. @see docs/config-server.md, "Encrypt and decrypt"
import { ANY_TEXT, answer, serverErrors, text } from '../../../../test/support/openapi/answers.js';
import {
  type Body,
  describeRoutes,
  REFUSES_OTHERS,
  type Route,
} from '../../../../test/support/openapi/describe.js';
import {
  APPLICATION,
  encryptionError,
  PROFILES,
  refusedCallers,
  SECURITY,
} from '../answers.openapi.js';
import { EncryptionController } from './encryption.controller.js';

const NO_KEY = encryptionError(404, 'No key is configured, or `/decrypt` is off.');

const COMMON = {
  tag: 'encryption',
  security: SECURITY,
} as const;
/** Only the second path of each handler has them. */
const PATH = [APPLICATION, PROFILES].map((each) => ({
  ...each,
  name: each.name === 'application' ? 'app' : each.name,
}));

function bodyOf(description: string, example: string): Body {
  return {
    description: `${description} Used byte for byte; a form is decoded. At most 1 MiB.`,
    types: ['text/plain', 'application/octet-stream', 'application/x-www-form-urlencoded'],
    required: true,
    schema: { ...ANY_TEXT, minLength: 1, example },
  };
}

function submission(summary: string, body: Body, result: MethodDecorator): Route {
  return {
    ...COMMON,
    summary,
    path: PATH,
    body,
    answers: [
      result,
      encryptionError(400, 'An empty body, an unknown key, or a text that cannot be decrypted.'),
      ...refusedCallers(encryptionError),
      NO_KEY,
      encryptionError(413, 'The body has more than 1 MiB.'),
      encryptionError(415, 'A malformed `Content-Type`, or a compressed body.'),
      ...serverErrors(encryptionError),
    ],
  };
}

describeRoutes(EncryptionController, {
  status: {
    ...COMMON,
    summary: 'Whether there is a key',
    answers: [
      answer(200, 'There is a key.', {
        'application/json': {
          schema: {
            type: 'object',
            required: ['status'],
            properties: { status: { type: 'string', enum: ['OK'] } },
          },
        },
      }),
      ...refusedCallers(encryptionError),
      NO_KEY,
      ...serverErrors(encryptionError),
    ],
  },
  encrypt: submission(
    'Encrypt a text',
    bodyOf('The text. `{key:alias}` before it selects a key.', 'pass+word'),
    text(200, 'The ciphertext, without `{cipher}`.', 'v1.8d6dacf0.cObq7KdCp_JtOqdan38IXg'),
  ),
  decrypt: submission(
    'Decrypt a text',
    bodyOf('The ciphertext, with or without `{cipher}`.', 'v1.8d6dacf0.cObq7KdCp_JtOqdan38IXg'),
    text(200, 'The plaintext.', 'pass+word'),
  ),
  publicKey: {
    ...COMMON,
    summary: 'The public key of an RSA key',
    path: PATH,
    answers: [
      text(200, 'The key.', 'ssh-rsa AAAAB3NzaC1yc2E… tessera'),
      encryptionError(400, 'An invalid name in the path.'),
      ...refusedCallers(encryptionError),
      encryptionError(404, 'There is no RSA key.'),
      ...serverErrors(encryptionError),
    ],
  },
  otherThanPost: REFUSES_OTHERS,
  otherThanGet: REFUSES_OTHERS,
});
