// Reads Vault's answers with type checks.
import { NumberLiteral } from '@tessera/property-sources';
import { redactSecrets } from './redact-secrets.js';

type Fields = Readonly<Record<string, unknown>>;

/** An answer about the requested path: found, absent or refused. */
export interface VaultAnswer {
  readonly status: number;
  readonly body: Fields;
  /** Vault's errors and warnings, for the log and messages; without secrets of the request. */
  readonly reasons: string;
}

/** The fields of an object; none for any other value. */
export function fieldsOf(value: unknown): Fields {
  return isFields(value) ? value : {};
}

export function isFields(value: unknown): value is Fields {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isObject && !(value instanceof NumberLiteral);
}

/** @param secrets all secrets of the request, which the answer may echo */
export function answerOf(status: number, body: unknown, secrets: readonly string[]): VaultAnswer {
  const fields = fieldsOf(body);
  const messages = [fields['errors'], fields['warnings']].flat().filter(isText).join('; ');
  return { status, body: fields, reasons: redactSecrets(messages, secrets) };
}

/** The keys of an answer's data, for the log; of a secret, the keys of its values. */
export function keyNamesIn({ body }: VaultAnswer): readonly string[] {
  const data = fieldsOf(body['data']);
  return Object.keys('metadata' in data ? fieldsOf(data['data']) : data);
}

export function isText(value: unknown): value is string {
  return typeof value === 'string';
}
