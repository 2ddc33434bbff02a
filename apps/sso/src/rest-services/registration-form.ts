// Reads the form of a request to register a service into a definition, or reports every fault of every field.
import type { IncomingMessage } from 'node:http';
import { Form, queryText, readForm, RequestError } from '@tessera/server';
import { inspectDefinition, type ServiceDefinition } from '@tessera/services';

const REQUIRED = ['serviceId', 'name', 'description'] as const;
const FIELDS = [...REQUIRED, 'evaluationOrder', 'enabled', 'ssoEnabled'] as const;
type Field = (typeof FIELDS)[number];

/** By the value in lower case. Form encoders of Python send `True`, those of PHP `1`. */
const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
]);

const LONGEST_SHOWN_NAME = 64;

/** The parameters of a request, wherever they stood; what they say has not been looked at. */
export interface RegistrationParameters {
  readonly form: Form;
  readonly query: Form;
}

/** @throws RequestError UNSUPPORTED_MEDIA_TYPE, BODY_TOO_LARGE, MALFORMED_REQUEST where they cannot be read at all */
export async function readRegistration(request: IncomingMessage): Promise<RegistrationParameters> {
  const form = await readForm(request);
  return { form, query: Form.parse(queryText(request)) };
}

/**
 * The service that is to be registered; what the form does not say has its default.
 * @throws RequestError MALFORMED_REQUEST with every fault of every field, a line each
 */
export function definitionIn({ form, query }: RegistrationParameters): ServiceDefinition {
  const { definition, violations } = inspectDefinition(
    Object.fromEntries(FIELDS.map((field) => [field, valueOf(field, form.onlyValue(field))])),
  );
  const lines = FIELDS.flatMap((field) => {
    const fault = formFault(field, form) ?? violations.find((each) => each.field === field)?.reason;
    return fault === undefined ? [] : [`${field} ${fault}`];
  });
  // Passed over, a field that is misspelt would leave the service another one than was meant.
  for (const name of form.except(...FIELDS).keys()) lines.push(`there is no field ${shown(name)}`);
  for (const name of query.except().keys()) {
    lines.push(`${shown(name)} must be in the body, not in the query`);
  }
  if (lines.length > 0) throw new RequestError('MALFORMED_REQUEST', lines.join('\n'));
  return definition;
}

/**
 * The value of a field; undefined for an empty one, which counts as absent. A text that does not fit the field's type
 * stays a text, and the rules of services refuse it.
 */
function valueOf(field: Field, text: string | undefined): unknown {
  if (text === undefined || text === '') return undefined;
  switch (field) {
    case 'evaluationOrder':
      return /^(0|-?[1-9]\d{0,9})$/.test(text) ? Number(text) : text;
    case 'enabled':
    case 'ssoEnabled':
      return BOOLEANS.get(text.toLowerCase()) ?? text;
    default:
      return text;
  }
}

/** What can be wrong with a form, and not with a definition. */
function formFault(field: Field, form: Form): string | undefined {
  const value = form.onlyValue(field);
  if (value === undefined && form.has(field)) return 'is given more than once';
  const isRequired = REQUIRED.some((name) => name === field);
  return isRequired && !value?.trim() ? 'is missing' : undefined;
}

/** A name as the caller sent it: it may be any text. */
function shown(name: string): string {
  return `"${encodeURIComponent(name.slice(0, LONGEST_SHOWN_NAME).toWellFormed())}"`;
}
