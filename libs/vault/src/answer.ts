// Owns the reading of Vault's answers: what is in them is checked before it is believed.
import { NumberLiteral } from '@tessera/property-sources';

type Fields = Readonly<Record<string, unknown>>;

/** An answer that says something about what was asked: found, not there, or refused. */
export interface VaultAnswer {
  readonly status: number;
  readonly body: Fields;
}

/** The fields of an object; none of anything else. */
export function fieldsOf(value: unknown): Fields {
  return isFields(value) ? value : {};
}

export function isFields(value: unknown): value is Fields {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isObject && !(value instanceof NumberLiteral);
}

/** What Vault has to say about a failure, for the log. */
export function reasonsIn(body: Fields): string {
  return [body['errors'], body['warnings']].flat().filter(isText).join('; ');
}

/** The names of what an answer holds, for the log: of a secret, those of its values. */
export function keyNamesIn({ body }: VaultAnswer): readonly string[] {
  const data = fieldsOf(body['data']);
  return Object.keys('metadata' in data ? fieldsOf(data['data']) : data);
}

export function isText(value: unknown): value is string {
  return typeof value === 'string';
}
