// Types YAML scalars by YAML 1.1, as SnakeYAML does without dates.
import { NumberLiteral, type Scalar } from './property-document.js';

const NULL = /^(?:~|null|Null|NULL|)$/;
const TRUE = /^(?:yes|Yes|YES|true|True|TRUE|on|On|ON)$/;
const FALSE = /^(?:no|No|NO|false|False|FALSE|off|Off|OFF)$/;
const INTEGERS = [
  /^[-+]?0b_*[01][01_]*$/,
  /^[-+]?0_*[0-7][0-7_]*$/,
  /^[-+]?(?:0|[1-9][0-9_]*(?::[0-5]?[0-9])*)$/,
  /^[-+]?0x_*[0-9a-fA-F][0-9a-fA-F_]*$/,
];
const REALS = [
  /^[-+]?[0-9][0-9_]*\.[0-9_]*(?:[eE][-+]?[0-9]+)?$/,
  /^[-+]?[0-9][0-9_]*[eE][-+]?[0-9]+$/,
  /^[-+]?\._*[0-9][0-9_]*(?:[eE][-+]?[0-9]+)?$/,
  /^[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+\.[0-9_]*$/,
];
const INFINITY = /^([-+]?)\.(?:inf|Inf|INF)$/;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
const TIMESTAMP =
  /^\d{4}-\d\d?-\d\d?(?:(?:[Tt]|[ \t]+)\d\d?:\d\d:\d\d(?:\.\d*)?(?:[ \t]*(?:Z|[-+]\d\d?(?::?\d\d)?))?)?$/;
const NOT_A_NUMBER = /^\.(?:nan|NaN|NAN)$/;

/** In characters. A longer number is a text, because parsing it takes long. */
const MAX_NUMBER_LENGTH = 1000;

const CORE_TAG = 'tag:yaml.org,2002:';

/** The value of a scalar without quotes and tag. */
export function plainScalar(text: string): Scalar | null {
  if (NULL.test(text)) return null;
  if (TRUE.test(text)) return true;
  if (FALSE.test(text)) return false;
  if (text.length > MAX_NUMBER_LENGTH) return text;
  if (INTEGERS.some((form) => form.test(text))) return new NumberLiteral(integer(text));
  if (REALS.some((form) => form.test(text))) return real(text);
  const infinity = INFINITY.exec(text);
  if (infinity) return infinite(infinity[1]);
  return NOT_A_NUMBER.test(text) ? NumberLiteral.NOT_A_NUMBER : text;
}

/** The value of a scalar with a tag; undefined for an unknown tag, or a text that does not fit the tag. */
export function taggedScalar(text: string, tag: string): Scalar | null | undefined {
  if (tag === `${CORE_TAG}str`) return text;
  const value = plainScalar(text);
  const isNumber = value instanceof NumberLiteral;
  switch (tag) {
    case '!':
      return value;
    case `${CORE_TAG}null`:
      return null;
    case `${CORE_TAG}bool`:
      return typeof value === 'boolean' ? value : undefined;
    case `${CORE_TAG}int`:
      return isNumber && /^-?\d+$/.test(value.json) ? value : undefined;
    case `${CORE_TAG}float`:
      return isNumber ? real(value.text) : undefined;
    case `${CORE_TAG}binary`:
      return base64(text);
    case `${CORE_TAG}timestamp`:
      return TIMESTAMP.test(text) ? text : undefined;
    default:
      return undefined;
  }
}

/** Exact at any size: `0777` is 511, `1_000` is 1000, `1:30` is 90. */
function integer(text: string): string {
  const [, sign, digits = ''] = /^([-+]?)(.*)$/.exec(text.replaceAll('_', '')) ?? [];
  const size = digits.includes(':')
    ? digits.split(':').reduce((sum, part) => sum * 60n + BigInt(part), 0n)
    : BigInt(/^0\d/.test(digits) ? `0o${digits.slice(1)}` : digits);
  return String(sign === '-' ? -size : size);
}

/** A number that is too large is infinite. */
function real(text: string): NumberLiteral {
  const [, sign, digits = ''] = /^([-+]?)(.*)$/.exec(text.replaceAll('_', '')) ?? [];
  const size = digits.split(':').reduce((sum, part) => sum * 60 + Number(part), 0);
  if (Number.isNaN(size)) return NumberLiteral.NOT_A_NUMBER;
  if (!Number.isFinite(size)) return infinite(sign);
  return new NumberLiteral(javaDouble(sign === '-' ? -size : size));
}

/** Without white space; undefined for a text that is not Base64. */
function base64(text: string): string | undefined {
  const digits = text.replaceAll(/\s/g, '');
  return BASE64.test(digits) ? digits : undefined;
}

function infinite(sign: string | undefined): NumberLiteral {
  return sign === '-' ? NumberLiteral.NEGATIVE_INFINITY : NumberLiteral.INFINITY;
}

/**
 * Formats a finite number as Java's `Double.toString` does since Java 19, which existing clients read: the shortest digits that
 * identify it, at least one after the point, and an exponent outside 0.001 to 10,000,000.
 *
 * @see https://docs.oracle.com/en/java/javase/19/docs/api/java.base/java/lang/Double.html#toString(double)
 */
function javaDouble(value: number): string {
  const size = Math.abs(value);
  if (Object.is(value, -0)) return '-0.0';
  if (size === 0 || (size >= 1e-3 && size < 1e7)) {
    return Number.isInteger(value) ? `${value}.0` : String(value);
  }
  const shortest = value.toExponential();
  const [digits, exponent] = (shortest.includes('.') ? shortest : value.toExponential(1)).split(
    'e',
  );
  return `${digits}E${Number(exponent)}`;
}
