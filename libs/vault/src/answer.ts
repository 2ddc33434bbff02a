// Owns the reading of Vault's answers: what is in them is checked before it is believed.
import { NumberLiteral } from '@tessera/property-sources';
import { tellable } from './reasons.js';

type Fields = Readonly<Record<string, unknown>>;

/** An answer that says something about what was asked: found, not there, or refused. */
export interface VaultAnswer {
  readonly status: number;
  readonly body: Fields;
  /** What Vault has to say about a failure, for the log and for messages: nothing of what the request carried. */
  readonly reasons: string;
}

/** The fields of an object; none of anything else. */
export function fieldsOf(value: unknown): Fields {
  return isFields(value) ? value : {};
}

export function isFields(value: unknown): value is Fields {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isObject && !(value instanceof NumberLiteral);
}

/** @param secrets all that the request carried: whoever answers may echo it */
export function answerOf(status: number, body: unknown, secrets: readonly string[]): VaultAnswer {
  const fields = fieldsOf(body);
  const words = [fields['errors'], fields['warnings']].flat().filter(isText).join('; ');
  return { status, body: fields, reasons: tellable(words, secrets) };
}

/** The names of what an answer holds, for the log: of a secret, those of its values. */
export function keyNamesIn({ body }: VaultAnswer): readonly string[] {
  const data = fieldsOf(body['data']);
  return Object.keys('metadata' in data ? fieldsOf(data['data']) : data);
}

export function isText(value: unknown): value is string {
  return typeof value === 'string';
}
