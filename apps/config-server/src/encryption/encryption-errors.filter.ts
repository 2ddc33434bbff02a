// The error answers of the encryption endpoints: JSON with a description and a status.
import { Catch } from '@nestjs/common';
import { CryptoError } from '@tessera/crypto';
import { loggerFor } from '@tessera/logging';
import {
  AdmissionError,
  type Answer,
  AnswerFilter,
  json,
  RequestError,
  UNAVAILABLE_HEADERS,
} from '@tessera/server';
import { ThrottledError } from '@tessera/throttling';
import { CallerError, challengeOf } from '../callers/caller-error.js';
import { EnvironmentError } from '../environment/environment-error.js';
import { EncryptionError } from './encryption-error.js';

const log = loggerFor('encryption');

/** @see docs/config-server.md, "Errors of encryption" */
@Catch()
export class EncryptionErrorsFilter extends AnswerFilter {
  answerTo(error: unknown): Answer {
    return toEncryptionAnswer(error);
  }
}

/** Any other error is answered with 503 if it is temporary, else with 500. */
function toEncryptionAnswer(error: unknown): Answer {
  if (error instanceof EncryptionError) return ofEncryption(error);
  if (error instanceof CryptoError) return ofCrypto(error);
  if (error instanceof RequestError) return ofRequest(error);
  if (error instanceof CallerError) {
    const { message } = error;
    return error.code === 'CALLER_UNKNOWN'
      ? encryptionAnswer(401, 'UNAUTHORIZED', message, challengeOf(error))
      : encryptionAnswer(403, 'FORBIDDEN', message);
  }
  if (error instanceof ThrottledError) {
    const headers = { 'Retry-After': String(error.retryAfter) };
    return encryptionAnswer(429, 'THROTTLED', error.message, headers);
  }
  if (error instanceof AdmissionError) {
    return encryptionAnswer(error.status, 'THROTTLED', error.message, error.headers);
  }
  if (error instanceof EnvironmentError) {
    return encryptionAnswer(error.status, 'INVALID', error.message);
  }
  return unexpectedError(error);
}

function ofEncryption({ code, message }: EncryptionError): Answer {
  switch (code) {
    case 'NO_KEY':
      return encryptionAnswer(404, 'NO_KEY', message);
    case 'NO_PUBLIC_KEY':
    case 'DECRYPTION_OFF':
      return encryptionAnswer(404, 'NOT_FOUND', message);
  }
}

function ofCrypto(error: CryptoError): Answer {
  return error.isRequestError
    ? encryptionAnswer(400, 'INVALID', error.message)
    : unexpectedError(error);
}

function ofRequest({ code, status, message }: RequestError): Answer {
  const words = {
    MALFORMED_REQUEST: 'INVALID',
    UNSUPPORTED_MEDIA_TYPE: 'UNSUPPORTED_MEDIA_TYPE',
    BODY_TOO_LARGE: 'TOO_LARGE',
    METHOD_NOT_ALLOWED: 'METHOD_NOT_ALLOWED',
  } as const;
  return encryptionAnswer(status, words[code], message);
}

function unexpectedError(error: unknown): Answer {
  if (error instanceof Error && Reflect.get(error, 'isTemporary') === true) {
    log.warn({ error }, 'answered 503');
    return encryptionAnswer(
      503,
      'UNAVAILABLE',
      'Service temporarily unavailable',
      UNAVAILABLE_HEADERS,
    );
  }
  log.error({ error }, 'answered 500');
  return encryptionAnswer(500, 'ERROR', 'Internal error');
}

/** @param word for programs; the description is for people */
export function encryptionAnswer(
  status: number,
  word: string,
  description: string,
  headers?: Readonly<Record<string, string>>,
): Answer {
  return json(status, { description, status: word }, headers);
}
