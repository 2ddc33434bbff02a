// Distinguished names: their text by RFC 4514, their attributes, and which lies within which.
import { attributeType } from './attribute-type.js';
import { unreadable } from './certificate-error.js';
import { type DerElement, TAG } from './der/der-element.js';
import { DerFields } from './der/der-fields.js';
import { objectIdentifier, text } from './der/der-values.js';

/** What comparing skips, and what it takes for a space. @see RFC 4518 §2.2 */
const WITHOUT_MEANING = /[[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Cc}\u{fffc}]--[\t-\r\u{85}]]/gv;
const WHITE_SPACE = /[\s\u{85}]+/gv;

interface Attribute {
  /** A short name, or the object identifier of a type that has none here. */
  readonly type: string;
  /** Undefined where the value is no text. */
  readonly value: string | undefined;
  readonly hex: string;
}

/** The attributes of one level: a relative distinguished name. */
type Part = readonly Attribute[];

/** A name in a directory, as certificates have them for subject and issuer. */
export class DistinguishedName {
  private value: string | undefined;

  private constructor(
    /** The DER, in hex: equal for names that a chain may join. */
    readonly encoding: string,
    private readonly parts: readonly Part[],
  ) {}

  /** @throws CertificateError CERTIFICATE_UNREADABLE */
  static read(element: DerElement): DistinguishedName {
    const parts = element.expect(TAG.sequence).children().map(readPart);
    return new DistinguishedName(element.encoding.toString('hex'), parts);
  }

  /**
   * Equal for names that are the same by value, whatever their string types, case and white space. Made at the first call:
   * it takes long for the names that a stranger may send.
   *
   * @see RFC 5280 §7.1
   */
  get comparable(): string {
    this.value ??= JSON.stringify(this.parts.map(comparable));
    return this.value;
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

  /** The common name, or the whole name where it has none. */
  get shortText(): string {
    const commonName = this.attributes().get('CN')?.at(-1) ?? '';
    return commonName === '' ? this.toString() : withoutControls(commonName);
  }

  /**
   * The values in their order, by the type's short name or object identifier; undefined stands for a
   * value that is no text.
   */
  attributes(): ReadonlyMap<string, readonly (string | undefined)[]> {
    const values = new Map<string, (string | undefined)[]>();
    for (const { type, value } of this.parts.flat()) {
      values.set(type, [...(values.get(type) ?? []), value]);
    }
    return values;
  }

  /**
   * Whether the name is `base` or below it, whatever the case and the white space of values; undefined
   * where that hangs on a value that is no text.
   */
  isWithin(base: DistinguishedName): boolean | undefined {
    const answers = base.parts.map((part, depth) => isSame(this.parts[depth] ?? [], part));
    if (answers.includes(false)) return false;
    return answers.includes(undefined) ? undefined : true;
  }
}

function readPart(element: DerElement): Part {
  const part = element.expect(TAG.set).children().map(readAttribute);
  if (part.length === 0) throw unreadable('a part of a name is empty');
  return part;
}

function readAttribute(element: DerElement): Attribute {
  const fields = new DerFields(element);
  const type = objectIdentifier(fields.required(TAG.objectIdentifier));
  const value = fields.last();
  return {
    type: attributeType(type),
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
  return withoutControls(value.replaceAll(/["+,;<>\\]|^[ #]| $/g, String.raw`\$&`));
}

function withoutControls(value: string): string {
  return value.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu, hexPairs);
}

function hexPairs(character: string): string {
  return Buffer.from(character)
    .toString('hex')
    .replaceAll(/../g, String.raw`\$&`);
}

/** Values that are no text are the same only byte for byte: else nobody knows. */
function isSame(own: Part, other: Part): boolean | undefined {
  if (comparable(own) === comparable(other)) return true;
  const isText = [...own, ...other].every(({ value }) => value !== undefined);
  return isText || own.length !== other.length ? false : undefined;
}

function comparable(part: Part): string {
  const attributes = part.map(({ type, value, hex }) =>
    JSON.stringify(value === undefined ? { type, hex } : { type, value: prepared(value) }),
  );
  return JSON.stringify(attributes.toSorted());
}

/** @see RFC 5280 §7.1, RFC 4518 §2 */
function prepared(value: string): string {
  return value
    .replaceAll(WITHOUT_MEANING, '')
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(WHITE_SPACE, ' ')
    .trim();
}
