// Owns the properties that beat those of every backend.
import type { PropertySource } from '../backends/environment-backend.js';

/**
 * The source of the settings' overrides; undefined where there are none. `\${x}` becomes `${x}`: settings files resolve the
 * one without the backslash themselves.
 */
export function overridesSource(
  overrides: Readonly<Record<string, string>>,
): PropertySource | undefined {
  const entries = Object.entries(overrides);
  if (entries.length === 0) return undefined;
  const properties = entries.map(
    ([key, text]) => [key, { value: text.replaceAll('\\${', '${') }] as const,
  );
  return { name: 'overrides', properties: new Map(properties) };
}
