// Distinguished names: their text by RFC 4514, their attributes, and which lies within which.
import { type DerElement, TAG } from './der/der-element.js';
import { DerFields } from './der/der-fields.js';
import { objectIdentifier, text } from './der/der-values.js';

/** The names of RFC 4514 §3, and those that people and directories use for others. */
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

interface Attribute {
  /** A short name, or the object identifier of a type that has none here. */
  readonly type: string;
  /** Undefined where the value is no text. */
  readonly value: string | undefined;
  readonly hex: string;
}

/** A name in a directory, as certificates have them for subject and issuer. */
export class DistinguishedName {
  private constructor(
    /** The DER, in hex: equal for names that a chain may join. */
    readonly encoding: string,
    private readonly parts: readonly (readonly Attribute[])[],
  ) {}

  /** @throws CertificateError CERTIFICATE_UNREADABLE */
  static read(element: DerElement): DistinguishedName {
    const parts = element
      .expect(TAG.sequence)
      .children()
      .map((part) => part.expect(TAG.set).children().map(readAttribute));
    return new DistinguishedName(element.encoding.toString('hex'), parts);
  }

  get isEmpty(): boolean {
    return this.parts.length === 0;
  }

  /** The most specific part first: `CN=Jane Doe,O=Example`. @see RFC 4514 §2 */
  toString(): string {
    return this.parts
      .toReversed()
      .map((part) => part.map(attributeText).join('+'))
      .join(',');
  }

  /** The values that are text, in their order, by the type's short name or object identifier. */
  attributes(): ReadonlyMap<string, readonly string[]> {
    const values = new Map<string, string[]>();
    for (const { type, value } of this.parts.flat()) {
      if (value === undefined) continue;
      values.set(type, [...(values.get(type) ?? []), value]);
    }
    return values;
  }

  /** Whether the name is `base` or below it, whatever the case and the white space of values. */
  isWithin(base: DistinguishedName): boolean {
    return base.parts.every((part, depth) => {
      const own = this.parts[depth];
      return own !== undefined && comparable(own) === comparable(part);
    });
  }
}

function readAttribute(element: DerElement): Attribute {
  const fields = new DerFields(element);
  const type = objectIdentifier(fields.required(TAG.objectIdentifier));
  const value = fields.last();
  return {
    type: SHORT_NAMES.get(type) ?? type,
    value: text(value),
    hex: value.encoding.toString('hex'),
  };
}

/** A type without a name here gets its value in hex, for nobody can know how to read it back. */
function attributeText({ type, value, hex }: Attribute): string {
  const isNamed = !/^\d/.test(type);
  return isNamed && value !== undefined ? `${type}=${escaped(value)}` : `${type}=#${hex}`;
}

/** @see RFC 4514 §2.4; control characters are written in hex as well, to keep lines whole */
function escaped(value: string): string {
  return value
    .replaceAll(/["+,;<>\\]|^[ #]| $/g, String.raw`\$&`)
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu, hexPairs);
}

function hexPairs(character: string): string {
  return Buffer.from(character)
    .toString('hex')
    .replaceAll(/../g, String.raw`\$&`);
}

/** @see RFC 5280 §7.1 */
function comparable(part: readonly Attribute[]): string {
  const attributes = part.map(({ type, value, hex }) => [
    type,
    value?.normalize('NFKC').toLowerCase().trim().replaceAll(/\s+/g, ' ') ?? `#${hex}`,
  ]);
  return JSON.stringify(attributes.map((attribute) => JSON.stringify(attribute)).toSorted());
}
