// Whether a document of a settings file counts under the active profiles, as in Spring Boot.
import { isActive, withActivation } from '@tessera/property-sources';
import { leavesOf, type RawEntry } from '../raw-value.js';

/** @throws PropertySourceError for an invalid profile expression */
export function isActiveDocument(
  entries: readonly RawEntry[],
  name: string,
  profiles: readonly string[],
): boolean {
  const ofSpring = entries.filter(({ key }) => /^spring(?:\.|$)/i.test(key)).flatMap(leavesOf);
  const properties = new Map(
    ofSpring.flatMap(({ key, value: { content, origin } }) => {
      const line = Number(/\d+$/.exec(origin)?.[0]);
      return typeof content === 'string'
        ? [[key, { value: content, origin: { line, column: 1 } }] as const]
        : [];
    }),
  );
  return withActivation([properties], { name }).every((document) => isActive(document, profiles));
}
