// Parses the form of a service registration, and reports all violations at once.
import type { IncomingMessage } from 'node:http';
import { Form, queryText, readForm, RequestError } from '@tessera/server';
import { inspectDefinition, type ServiceDefinition } from '@tessera/services';

const REQUIRED = ['serviceId', 'name', 'description'] as const;
const FIELDS = [...REQUIRED, 'evaluationOrder', 'enabled', 'ssoEnabled'] as const;
type Field = (typeof FIELDS)[number];

/** Keys are in lower case. Form encoders of Python send `True`, those of PHP `1`. */
const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
]);

const MAX_QUOTED_NAME = 64;

/** The parameters of a request, not validated. */
export interface RegistrationParameters {
  readonly form: Form;
  readonly query: Form;
}

/** @throws RequestError UNSUPPORTED_MEDIA_TYPE, BODY_TOO_LARGE, MALFORMED_REQUEST for an unreadable form */
export async function readRegistration(request: IncomingMessage): Promise<RegistrationParameters> {
  const form = await readForm(request);
  return { form, query: Form.parse(queryText(request)) };
}

/**
 * The definition of the service; missing fields have their defaults.
 * @throws RequestError MALFORMED_REQUEST with all violations, one on each line
 */
export function parseDefinition({ form, query }: RegistrationParameters): ServiceDefinition {
  const { definition, violations } = inspectDefinition(
    Object.fromEntries(FIELDS.map((field) => [field, valueOf(field, form.onlyValue(field))])),
  );
  const lines = FIELDS.flatMap((field) => {
    const violation =
      formViolation(field, form) ?? violations.find((each) => each.field === field)?.reason;
    return violation === undefined ? [] : [`${field} ${violation}`];
  });
  // A misspelt field must not register the service with a default value.
  for (const name of form.except(...FIELDS).keys()) lines.push(`there is no field ${quoted(name)}`);
  for (const name of query.except().keys()) {
    lines.push(`${quoted(name)} must be in the body, not in the query`);
  }
  if (lines.length > 0) throw new RequestError('MALFORMED_REQUEST', lines.join('\n'));
  return definition;
}

/**
 * Converts a field to its type; an empty field is undefined. A text of another type is returned unchanged, and the
 * validation of services refuses it.
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

/** Violations that a definition cannot have. */
function formViolation(field: Field, form: Form): string | undefined {
  const value = form.onlyValue(field);
  if (value === undefined && form.has(field)) return 'is given more than once';
  const isRequired = REQUIRED.some((name) => name === field);
  return isRequired && !value?.trim() ? 'is missing' : undefined;
}

/** Escapes and shortens a field name, which may be any text. */
function quoted(name: string): string {
  return `"${encodeURIComponent(name.slice(0, MAX_QUOTED_NAME).toWellFormed())}"`;
}
