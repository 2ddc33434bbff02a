// The bounds of settings: decorators of class-validator on the properties of a settings class.
import { validateSync } from 'class-validator';

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

/** The default messages of class-validator start with the property. */
function withoutSubject(message: string, property: string): string {
  return message.startsWith(`${property} `) ? message.slice(property.length + 1) : message;
}
