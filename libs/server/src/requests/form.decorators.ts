// Parameters of handlers that are read strictly from the query or the body.
import type { IncomingMessage } from 'node:http';
import { createParamDecorator, type ExecutionContext, type PipeTransform } from '@nestjs/common';
import { Form, queryText, readForm } from './form.js';

type FormDecorator = (...pipes: PipeTransform[]) => ParameterDecorator;

/** The {@link Form} in the query. @throws RequestError MALFORMED_REQUEST */
export const QueryForm: FormDecorator = createParamDecorator(
  (_: unknown, context: ExecutionContext) => Form.parse(queryText(requestOf(context))),
);

/** The {@link Form} in the body. @throws RequestError as {@link readForm} */
export const BodyForm: FormDecorator = createParamDecorator(
  (_: unknown, context: ExecutionContext) => readForm(requestOf(context)),
);

function requestOf(context: ExecutionContext): IncomingMessage {
  return context.switchToHttp().getRequest<IncomingMessage>();
}
