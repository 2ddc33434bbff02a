// The attribute types of distinguished names: short names and object identifiers.

/** The short names of RFC 4514 §3, and common ones of further types. */
const SHORT_NAMES: ReadonlyMap<string, string> = new Map([
  ['2.5.4.3', 'CN'],
  ['2.5.4.4', 'SN'],
  ['2.5.4.5', 'serialNumber'],
  ['2.5.4.6', 'C'],
  ['2.5.4.7', 'L'],
  ['2.5.4.8', 'ST'],
  ['2.5.4.9', 'STREET'],
  ['2.5.4.10', 'O'],
  ['2.5.4.11', 'OU'],
  ['2.5.4.12', 'title'],
  ['2.5.4.42', 'GN'],
  ['2.5.4.43', 'initials'],
  ['2.5.4.46', 'dnQualifier'],
  ['2.5.4.65', 'pseudonym'],
  ['2.5.4.97', 'organizationIdentifier'],
  ['0.9.2342.19200300.100.1.1', 'UID'],
  ['0.9.2342.19200300.100.1.25', 'DC'],
  ['1.2.840.113549.1.9.1', 'emailAddress'],
]);

const BY_LOWER_CASE: ReadonlyMap<string, string> = new Map(
  Array.from(SHORT_NAMES.values(), (name) => [name.toLowerCase(), name]),
);

/** The first two roots have 40 arcs. @see X.660 §7.6 */
const OBJECT_IDENTIFIER = /^(?:[01]\.(?:[12]?\d|3\d)|2\.(?:0|[1-9]\d*))(?:\.(?:0|[1-9]\d*))*$/;

/** The short name of a type, or its object identifier. */
export function attributeType(identifier: string): string {
  return SHORT_NAMES.get(identifier) ?? identifier;
}

/**
 * The type for a short name, case-insensitive, or a dotted object identifier, in the form of
 * {@link attributeType}. Undefined for any other text.
 */
export function attributeTypeNamed(name: string): string | undefined {
  if (OBJECT_IDENTIFIER.test(name)) return attributeType(name);
  return BY_LOWER_CASE.get(name.toLowerCase());
}

/** Whether the name is valid in the rule `attribute:<name>`. */
export function isAttributeName(name: string): boolean {
  return attributeTypeNamed(name) !== undefined;
}
