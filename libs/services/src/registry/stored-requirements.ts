// The column `required_attributes` in its two forms. A map lists exact values. A list with one map lists patterns: programs
// before migration 0026 take it for invalid, and disable the service. They would ignore its other restrictions.
import { isDeepStrictEqual } from 'node:util';
import { isRecord } from '../field-rules.js';
import { literalValue, patternOfValue } from '../matching/attribute-patterns.js';
import {
  type AttributePatterns,
  SERVICE_DEFAULTS,
  type ServiceDefinition,
} from '../registered-service.js';

/** The fields that programs before migration 0026 do not know. */
const NEW_FIELDS = [
  'rejectedAttributes',
  'expiresAt',
  'releasedValues',
  'protocolAttributes',
  'serviceTicketLifetime',
  'proxyTicketLifetime',
] as const;

/** Exact values where programs of before serve such a service as this one does. */
export function storedRequirements(definition: ServiceDefinition): object {
  const isAsBefore =
    !('excluded' in definition.attributeRelease) &&
    !('letterCase' in definition.usernameAttribute) &&
    NEW_FIELDS.every((field) => isDeepStrictEqual(definition[field], SERVICE_DEFAULTS[field]));
  const values = isAsBefore ? exactValues(definition.requiredAttributes) : undefined;
  return values ?? [definition.requiredAttributes];
}

/** The patterns of a stored value. Any other JSON is returned as it is, and is a violation. */
export function readRequirements(stored: unknown): unknown {
  if (Array.isArray(stored) && stored.length === 1) return stored[0] as unknown;
  if (!isRecord(stored)) return stored;
  return Object.fromEntries(
    Object.entries(stored).map(([name, values]) => [name, patternsOf(values)]),
  );
}

function patternsOf(values: unknown): unknown {
  if (!Array.isArray(values)) return values;
  return values.map((value: unknown) =>
    typeof value === 'string' ? patternOfValue(value) : value,
  );
}

/** Undefined where a pattern matches more than one value, or would be read in another spelling. */
function exactValues(patterns: AttributePatterns): object | undefined {
  const entries = Object.entries(patterns).map(
    ([name, texts]) => [name, texts.map(exactValue)] as const,
  );
  if (entries.some(([, values]) => values.includes(undefined))) return undefined;
  return Object.fromEntries(entries);
}

function exactValue(pattern: string): string | undefined {
  const value = literalValue(pattern);
  return value !== undefined && patternOfValue(value) === pattern ? value : undefined;
}
