// Writes environments as JSON: sources with flat keys for config clients, and the flattened form `.json`.
import { NumberLiteral, type Property, type Scalar } from '@tessera/property-sources';
import type { Environment } from '../environments.js';
import type { FlatProperties } from './flat-properties.js';
import { treeOf, type TreeNode } from './property-tree.js';

export const JSON_TYPE = 'application/json';
/** The media type for values with their origin. */
export const V2_TYPE = 'application/vnd.spring-cloud.config-server.v2+json';

type PropertyWriter = (property: Property) => string;

/** @see docs/config-server.md, "Environments" */
export function environmentJson(environment: Environment): string {
  return documentJson(environment, ({ value }) => scalarJson(value));
}

/** A value without an origin, such as a decrypted one, is written without the object around it. */
export function environmentJsonWithOrigins(environment: Environment): string {
  return documentJson(environment, ({ value, origin }) => {
    const text = scalarJson(value);
    return origin ? `{"value":${text},"origin":"${origin.line}:${origin.column}"}` : text;
  });
}

/** One document, with nested keys where possible. */
export function flattenedJson(properties: FlatProperties): string {
  return nodeJson(treeOf(properties));
}

function documentJson({ sources, ...head }: Environment, write: PropertyWriter): string {
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

function nodeJson(node: TreeNode | undefined): string {
  if (node === undefined) return 'null';
  if (Array.isArray(node)) return `[${node.map(nodeJson).join(',')}]`;
  if (!(node instanceof Map)) return scalarJson(node.value);
  const members = Array.from(node, ([key, child]) => `${JSON.stringify(key)}:${nodeJson(child)}`);
  return `{${members.join(',')}}`;
}

/** Number literals are written unchanged: a JavaScript number would round large ones. */
function scalarJson(value: Scalar): string {
  return value instanceof NumberLiteral ? value.json : JSON.stringify(value);
}
