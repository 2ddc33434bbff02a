// Distinguished names: their text by RFC 4514, their attributes, and comparison.
import { attributeType } from './attribute-type.js';
import { unreadable } from './certificate-error.js';
import { type DerElement, DerFields, TAG } from './der/der-element.js';
import { objectIdentifier, text } from './der/der-values.js';

/** Characters that comparison ignores or maps to a space. @see RFC 4518 §2.2 */
const IGNORED_CHARACTERS =
  /[[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Cc}\u{fffc}]--[\t-\r\u{85}]]/gv;
const WHITE_SPACE = /[\s\u{85}]+/gv;

interface Attribute {
  /** The short name of the type, or its object identifier. */
  readonly type: string;
  /** Undefined where the value is not a text. */
  readonly value: string | undefined;
  readonly hex: string;
}

/** A relative distinguished name. */
type RelativeName = readonly Attribute[];

export class DistinguishedName {
  private value: string | undefined;

  private constructor(
    /** The DER in hex. Chains compare subject and issuer by it. */
    readonly encoding: string,
    private readonly parts: readonly RelativeName[],
  ) {}

  /** @throws CertificateError CERTIFICATE_UNREADABLE */
  static read(element: DerElement): DistinguishedName {
    const parts = element.expect(TAG.sequence).children().map(readPart);
    return new DistinguishedName(element.encoding.toString('hex'), parts);
  }

  /**
   * Equal for names of the same value, whatever their string types, case and white space. Computed at the
   * first call, because it is slow for names that an attacker sends.
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

  /** The common name, or the whole name without one. */
  get shortText(): string {
    const commonName = this.attributes().get('CN')?.at(-1) ?? '';
    return commonName === '' ? this.toString() : withoutControls(commonName);
  }

  /**
   * The values in order, by the short name or object identifier of the type. Undefined stands for a value
   * that is not a text.
   */
  attributes(): ReadonlyMap<string, readonly (string | undefined)[]> {
    const values = new Map<string, (string | undefined)[]>();
    for (const { type, value } of this.parts.flat()) {
      values.set(type, [...(values.get(type) ?? []), value]);
    }
    return values;
  }

  /**
   * Whether the name is `base` or below it, ignoring case and white space of values. Undefined where a
   * value that is not a text decides it.
   */
  isWithin(base: DistinguishedName): boolean | undefined {
    const matches = base.parts.map((part, depth) => isSame(this.parts[depth] ?? [], part));
    if (matches.includes(false)) return false;
    return matches.includes(undefined) ? undefined : true;
  }
}

function readPart(element: DerElement): RelativeName {
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

/** RFC 4514 §2.4 requires a hex value for a type without a short name. */
function attributeText({ type, value, hex }: Attribute): string {
  const isNamed = !/^\d/.test(type);
  return isNamed && value !== undefined ? `${type}=${escaped(value)}` : `${type}=#${hex}`;
}

/** Also escapes control characters, so that a value cannot add lines. @see RFC 4514 §2.4 */
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

/** Undefined where values differ that are not texts: only equal bytes are known to be equal. */
function isSame(own: RelativeName, other: RelativeName): boolean | undefined {
  if (comparable(own) === comparable(other)) return true;
  const isText = [...own, ...other].every(({ value }) => value !== undefined);
  return isText || own.length !== other.length ? false : undefined;
}

function comparable(part: RelativeName): string {
  const attributes = part.map(({ type, value, hex }) =>
    JSON.stringify(value === undefined ? { type, hex } : { type, value: prepared(value) }),
  );
  return JSON.stringify(attributes.toSorted());
}

/** @see RFC 5280 §7.1, RFC 4518 §2 */
function prepared(value: string): string {
  return value
    .replaceAll(IGNORED_CHARACTERS, '')
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(WHITE_SPACE, ' ')
    .trim();
}
