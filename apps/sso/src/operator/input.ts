// Reads the queries and JSON bodies of the operator's API.
import type { IncomingMessage } from 'node:http';
import { isUtf8 } from 'node:buffer';
import {
  applyDecorators,
  BadRequestException,
  createParamDecorator,
  ValidationPipe,
  type ExecutionContext,
  type PipeTransform,
  type Type,
} from '@nestjs/common';
import { IsString, Matches, MaxLength, ValidateIf, type ValidationError } from 'class-validator';
import { declaresJson, Form, queryText, readBody, RequestError } from '@tessera/server';

const MAX_BODY_BYTES = 256 * 1_024;
/** The checks of deeper bodies would overflow the stack. */
const MAX_DEPTH = 50;

/** The query as an object; a parameter that is given several times is a list. Validate it with {@link valid}. */
export const QueryParameters: (pipe: PipeTransform) => ParameterDecorator = createParamDecorator(
  (_: unknown, context: ExecutionContext) => {
    const query = Form.parse(queryText(requestOf(context))).except();
    const values = [...query].map(
      ([name, all]) => [name, all.length === 1 ? all[0] : all] as const,
    );
    return Object.fromEntries(values);
  },
);

/** The body as text, declared as JSON. @throws RequestError for another type, or a body that is too large */
export const JsonText: () => ParameterDecorator = createParamDecorator(
  (_: unknown, context: ExecutionContext) => readJsonText(requestOf(context)),
);

/** The body as an object. Validate it with {@link valid}, or hand it to what validates it. */
export const JsonBody: (...pipes: PipeTransform[]) => ParameterDecorator = createParamDecorator(
  async (_: unknown, context: ExecutionContext) =>
    parseObject(await readJsonText(requestOf(context))),
);

/** A field that may be missing, but not null. */
export const Optional = (): PropertyDecorator => ValidateIf((_, value) => value !== undefined);

/** A text to search for. PostgreSQL knows no NUL. */
export function SearchText(maxLength: number): PropertyDecorator {
  const hasNoNul = Matches(/^[^\0]*$/, { message: 'must not contain NUL' });
  return applyDecorators(hasNoNul, MaxLength(maxLength), IsString());
}

/** Refuses all fields that the type does not declare. */
export function valid(expectedType: Type): PipeTransform {
  const pipe = new ValidationPipe({
    expectedType,
    transform: true,
    validateCustomDecorators: true,
    whitelist: true,
    forbidNonWhitelisted: true,
    exceptionFactory: (errors) => invalid(errors.map((error) => violationOf(error))),
  });
  return {
    transform(value: unknown, metadata) {
      const reserved = reservedFields(value);
      if (reserved.length === 0) return pipe.transform(value, metadata) as unknown;
      throw invalid(reserved.map((field) => ({ field, reason: 'is a reserved name' })));
    },
  };
}

/** The paths of names that the validation would drop without a word. */
function reservedFields(value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, each]) =>
    name === 'prototype' || name in Object.prototype
      ? [name]
      : reservedFields(each).map((path) => `${name}.${path}`),
  );
}

/** @throws RequestError MALFORMED_REQUEST for a text that is no JSON object, or a deep one */
export function parseObject(body: string): Readonly<Record<string, unknown>> {
  const value = parse(body);
  if (isDeeper(value, MAX_DEPTH)) {
    throw new RequestError('MALFORMED_REQUEST', 'the body is nested too deeply');
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return value as Readonly<Record<string, unknown>>;
  }
  throw new RequestError('MALFORMED_REQUEST', 'the body must be a JSON object');
}

function isDeeper(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return depth === 0 || Object.values(value).some((each) => isDeeper(each, depth - 1));
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body) as unknown;
  } catch {
    throw new RequestError('MALFORMED_REQUEST', 'the body is not JSON');
  }
}

async function readJsonText(request: IncomingMessage): Promise<string> {
  if (!declaresJson(request)) {
    throw new RequestError('UNSUPPORTED_MEDIA_TYPE', 'Content-Type must be application/json');
  }
  const body = await readBody(request, MAX_BODY_BYTES);
  if (!isUtf8(body)) throw new RequestError('MALFORMED_REQUEST', 'the body is not UTF-8');
  return body.toString('utf8');
}

function requestOf(context: ExecutionContext): IncomingMessage {
  return context.switchToHttp().getRequest<IncomingMessage>();
}

interface Violation {
  readonly field: string;
  readonly reason: string;
}

/** One for each field, without its value, which may be secret. */
function violationOf({ property, value, constraints = {} }: ValidationError): Violation {
  if ('whitelistValidation' in constraints) return { field: property, reason: 'is not known' };
  if (value === undefined) return { field: property, reason: 'is missing' };
  // The first decorator of a field is its type. Its message is the last one.
  const message = Object.values(constraints).at(-1) ?? 'is invalid';
  const isNamed = message.startsWith(`${property} `);
  return { field: property, reason: isNamed ? message.slice(property.length + 1) : message };
}

function invalid(violations: readonly Violation[]): BadRequestException {
  const message = violations.map(({ field, reason }) => `${field} ${reason}`).join('; ');
  return new BadRequestException({ message, violations });
}
