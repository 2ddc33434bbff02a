// Owns what a scalar of YAML means: text, truth, number or nothing, by YAML 1.1 as SnakeYAML reads it without dates.
import { javaDouble } from './java-double.js';
import { NumberLiteral, type Scalar } from './property-document.js';

const NOTHING = /^(?:~|null|Null|NULL|)$/;
const TRUTH = /^(?:yes|Yes|YES|true|True|TRUE|on|On|ON)$/;
const FALSEHOOD = /^(?:no|No|NO|false|False|FALSE|off|Off|OFF)$/;
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
const NOT_A_NUMBER = /^\.(?:nan|NaN|NAN)$/;

/** Longer ones are text: nobody computes with them, and reading them as numbers takes time. */
const LONGEST_NUMBER = 1000;

const CORE_TAG = 'tag:yaml.org,2002:';

/** What a scalar without quotes and tag stands for; null for nothing. */
export function plainScalar(text: string): Scalar | null {
  if (NOTHING.test(text)) return null;
  if (TRUTH.test(text)) return true;
  if (FALSEHOOD.test(text)) return false;
  if (text.length > LONGEST_NUMBER) return text;
  if (INTEGERS.some((form) => form.test(text))) return new NumberLiteral(integer(text));
  if (REALS.some((form) => form.test(text))) return real(text);
  const infinity = INFINITY.exec(text);
  if (infinity) return infinity[1] === '-' ? '-Infinity' : 'Infinity';
  return NOT_A_NUMBER.test(text) ? 'NaN' : text;
}

/** What a scalar with an explicit tag stands for; undefined where it is none of the tag, or the tag is not read. */
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
      return isNumber ? new NumberLiteral(javaDouble(Number(value.json))) : undefined;
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

/** Infinity, for one that is too large, is a word: JSON has no number for it. */
function real(text: string): Scalar {
  const [, sign, digits = ''] = /^([-+]?)(.*)$/.exec(text.replaceAll('_', '')) ?? [];
  const size = digits.split(':').reduce((sum, part) => sum * 60 + Number(part), 0);
  const written = javaDouble(sign === '-' ? -size : size);
  return Number.isFinite(size) ? new NumberLiteral(written) : written;
}
