// The bounds of settings: decorators of class-validator on the properties of a settings class.
import { getMetadataStorage, validateSync } from 'class-validator';

/**
 * The first violated bound of each property, as a message that continues the key. Undefined values are valid.
 * A property that a subclass declares again has the bounds of the subclass alone.
 */
export function violatedBounds(holder: object): ReadonlyMap<string, string> {
  const errors = validateSync(holder, {
    skipUndefinedProperties: true,
    // A settings class may have no bounds.
    forbidUnknownValues: false,
    validationError: { target: false, value: false },
  });
  return new Map(
    errors.map(({ property, constraints = {} }) => [
      property,
      withoutSubject(Object.values(constraints)[0] ?? '', property),
    ]),
  );
}

/** The bounds of a property, and the messages of its other rules. */
export interface Bounds {
  readonly min?: number;
  readonly max?: number;
  readonly maxLength?: number;
  /** Each continues the key. */
  readonly rules: readonly string[];
}

export function boundsOf(holder: object, property: string): Bounds {
  const all = getMetadataStorage()
    .getTargetValidationMetadatas(holder.constructor, '', true, false)
    .filter(({ propertyName }) => propertyName === property);
  const numbers = all.filter(({ message }) => message === undefined);
  return {
    ...Object.fromEntries(
      numbers.map(({ name, constraints }) => [name ?? '', Number(constraints?.[0])]),
    ),
    rules: all.flatMap(({ message }) => (typeof message === 'string' ? [message] : [])),
  };
}

/** The default messages of class-validator start with the property. */
function withoutSubject(message: string, property: string): string {
  return message.startsWith(`${property} `) ? message.slice(property.length + 1) : message;
}
