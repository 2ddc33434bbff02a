// docs/errors.md: where the page promises a status for a code, the error filters answer with it. That page and code have the
// same codes: tools/docs/error-codes.ts.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import type { Request } from 'express';
import { CryptoError } from '@tessera/crypto';
import { AdmissionError, type Answer, RequestError } from '@tessera/server';
import { ThrottledError } from '@tessera/throttling';
import { TicketError } from '@tessera/tickets';
import { BackendError } from '../apps/config-server/src/backends/backend-error.js';
import { CallerError } from '../apps/config-server/src/callers/caller-error.js';
import { ConfigErrorsFilter } from '../apps/config-server/src/errors/config-errors.filter.js';
import { EncryptionError } from '../apps/config-server/src/errors/encryption-error.js';
import { EnvironmentError } from '../apps/config-server/src/errors/environment-error.js';
import { RestErrorsFilter } from '../apps/sso/src/rest/rest-errors.filter.js';
import { SsoSettings } from '../apps/sso/src/settings/sso-settings.js';

const PAGE = join(import.meta.dirname, '../docs/errors.md');

const settings = new SsoSettings();
const rest = (error: TicketError | ThrottledError | AdmissionError): Answer =>
  new RestErrorsFilter(settings).answerTo(error);
const config = (error: Error): Answer => {
  const request = { method: 'GET', url: '/x', originalUrl: '/x', path: '/x', headers: {} };
  return new ConfigErrorsFilter().answerTo(error, request as Request);
};

/** The answer to the error of each code. */
function rows<C extends string>(
  codes: readonly C[],
  answer: (code: C) => Answer,
): readonly [string, Answer][] {
  return codes.map((code) => [code, answer(code)]);
}

const ANSWERS = [
  ...rows(['GRANTING_TICKET_NOT_FOUND', 'SERVICE_NOT_AUTHORIZED', 'NEW_LOGIN_REQUIRED'], (code) =>
    rest(new TicketError(code, 'x')),
  ),
  ...rows(['AUTHENTICATION_THROTTLED'], () => rest(new ThrottledError(1))),
  ...rows(['AUTHENTICATION_THROTTLED'], () => config(new ThrottledError(1))),
  ...rows(['RATE_LIMITED'], (code) => rest(new AdmissionError(code, 429, 'x'))),
  ...rows(
    ['MALFORMED_REQUEST', 'UNSUPPORTED_MEDIA_TYPE', 'BODY_TOO_LARGE', 'METHOD_NOT_ALLOWED'],
    (code) => config(new RequestError(code, 'x')),
  ),
  ...rows(['CALLER_UNKNOWN', 'CALLER_NOT_ALLOWED'], (code) => config(new CallerError(code, 'x'))),
  ...rows(['NO_KEY', 'NO_PUBLIC_KEY', 'DECRYPTION_OFF'], (code) =>
    config(new EncryptionError(code, 'x')),
  ),
  ...rows(['TEXT_UNDECRYPTABLE', 'SELECTOR_UNKNOWN', 'KEY_UNKNOWN'], (code) =>
    config(new CryptoError(code, 'x')),
  ),
  ...rows(['PASSWORD_HASHING_BUSY'], (code) => config(new CryptoError(code, 'x'))),
  ...rows(
    ['PATH_MALFORMED', 'PATH_UNKNOWN', 'FILE_UNKNOWN', 'ACCEPT_UNSUPPORTED', 'FILES_BUSY'],
    (code) => config(new EnvironmentError(code, 'x')),
  ),
  ...rows(['QUERY_TOO_WIDE', 'LABEL_UNKNOWN', 'BACKEND_UNAVAILABLE', 'SOURCE_MALFORMED'], (code) =>
    config(new BackendError(code, 'x')),
  ),
];

test.each(ANSWERS)('%s is answered with the status of its row', async (code, { status }) => {
  const page = await readFile(PAGE, 'utf8');
  const row = page.split('\n').find((line) => line.startsWith(`| \`${code}\``)) ?? '';
  const [, , , seen = ''] = row.split('|');
  expect(/^(?:REST: )?(\d{3})\b/.exec(seen.trim())?.[1]).toBe(String(status));
});
