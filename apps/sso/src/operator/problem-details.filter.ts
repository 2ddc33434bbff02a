// Answers the errors of the operator's API as problem details.
import { BadRequestException, Catch } from '@nestjs/common';
import type { Request } from 'express';
import { AccountError, type AccountErrorCode } from '@tessera/accounts';
import { type Answer, AnswerFilter, errorResponseOf } from '@tessera/server';
import { InvalidServiceError, ServiceError, type ServiceErrorCode } from '@tessera/services';
import { codeOfStatus, problemAnswer, ProblemError, type Problem } from './problem.js';

const SERVICE_STATUS: Readonly<Partial<Record<ServiceErrorCode, number>>> = {
  SERVICE_INVALID: 400,
  SERVICE_NOT_FOUND: 404,
  CLIENT_EXISTS: 409,
};

const ACCOUNT_STATUS: Readonly<Partial<Record<AccountErrorCode, number>>> = {
  ACCOUNT_INVALID: 400,
  ACCOUNT_NOT_FOUND: 404,
  ACCOUNT_EXISTS: 409,
};

@Catch()
export class ProblemDetailsFilter extends AnswerFilter {
  answerTo(error: unknown, request: Request): Answer {
    return problemAnswer(problemOf(error, request));
  }
}

function problemOf(error: unknown, request: Request): Problem {
  if (error instanceof ProblemError) {
    const { status, code, message } = error;
    return { status, code, detail: message };
  }
  if (error instanceof InvalidServiceError) {
    const { code, message, violations } = error;
    return { status: 400, code, detail: message, violations };
  }
  return domainProblem(error) ?? otherProblem(error, request);
}

function domainProblem(error: unknown): Problem | undefined {
  if (!(error instanceof ServiceError || error instanceof AccountError)) return undefined;
  const { code, message } = error;
  const status: number | undefined = { ...SERVICE_STATUS, ...ACCOUNT_STATUS }[code];
  return status === undefined ? undefined : { status, code, detail: message };
}

function otherProblem(error: unknown, request: Request): Problem {
  const response = errorResponseOf(error, request);
  const { status, code = codeOfStatus(status), message, headers } = response;
  const violations = error instanceof BadRequestException ? violationsOf(error) : undefined;
  return { status, code, detail: message, headers, ...(violations && { violations }) };
}

/** Of the pipe that validates bodies and queries. */
function violationsOf(error: BadRequestException): Problem['violations'] {
  const response = error.getResponse();
  return typeof response === 'object' && 'violations' in response
    ? (response.violations as Problem['violations'])
    : undefined;
}
