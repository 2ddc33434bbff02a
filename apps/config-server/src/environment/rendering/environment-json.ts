// Owns the JSON form of environments: sources with flat keys, as config clients read them. What is in them is not its
// affair.
import { NumberLiteral, type Property, type Scalar } from '@tessera/property-sources';
import type { Environment } from '../environment.js';

export const JSON_TYPE = 'application/json';
/** Values come with the place they were written at. */
export const V2_TYPE = 'application/vnd.spring-cloud.config-server.v2+json';

type Writer = (property: Property) => string;

/** @see docs/config-server.md, "Environments" */
export function environmentJson(environment: Environment): string {
  return documentJson(environment, ({ value }) => scalarJson(value));
}

/** A value that has no place, such as a decrypted one, stands as it is. */
export function environmentJsonWithOrigins(environment: Environment): string {
  return documentJson(environment, ({ value, origin }) => {
    const text = scalarJson(value);
    return origin ? `{"value":${text},"origin":"${origin.line}:${origin.column}"}` : text;
  });
}

/** Numbers of any size as they are: a JavaScript number would round them. */
export function scalarJson(value: Scalar): string {
  return value instanceof NumberLiteral ? value.json : JSON.stringify(value);
}

function documentJson({ sources, ...head }: Environment, write: Writer): string {
  const { name, profile, label = null, version, state } = head;
  const opening = JSON.stringify({ name, profiles: [profile], label, version, state });
  const written = sources.map((source) => {
    const members = Array.from(
      source.properties,
      ([key, property]) => `${JSON.stringify(key)}:${write(property)}`,
    );
    return `{"name":${JSON.stringify(source.name)},"source":{${members.join(',')}}}`;
  });
  return `${opening.slice(0, -1)},"propertySources":[${written.join(',')}]}`;
}
