// Converts one value of the old server to ours.
import type { Conversion } from '@tessera/config';
import { readValues } from '@tessera/services';
import type { SettingValue, ValueMap } from './settings-draft.js';

/** A value of ours, perhaps with what it lacks, or why there is none. */
export type Converted =
  { readonly value: SettingValue; readonly note?: string } | { readonly problem: string };

/** Conversions of one value that need no other setting. */
export type ValueConversion = Extract<
  Conversion,
  | 'same'
  | 'inverted'
  | 'list'
  | 'file'
  | 'seconds'
  | 'days'
  | 'milliseconds'
  | 'urls'
  | 'scope'
  | 'filter'
  | 'user-dn'
  | 'name-pattern'
  | 'attributes'
>;

const CONVERSIONS: Readonly<
  Record<ValueConversion, (text: string, values: readonly string[]) => Converted>
> = {
  same: (text) => ({ value: text }),
  inverted: (text) => ({ value: /^true$/i.test(text) ? 'false' : 'true' }),
  list: (_, values) => ({ value: partsOf(values) }),
  file: fileOf,
  seconds: (text) => durationOf(text, 's'),
  days: (text) => durationOf(text, 'd'),
  milliseconds: (text) => durationOf(text, 'ms'),
  urls: (text) => ({ value: text.split(/[\s,]+/).filter((url) => url !== '') }),
  scope: (text) => ({ value: /^false$/i.test(text) ? 'one' : 'sub' }),
  filter: (text) => ({ value: filterOf(text) }),
  'user-dn': (text) => ({ value: text.replaceAll(/%s|\{user\}|\{0\}/g, '{username}') }),
  'name-pattern': namePatternOf,
  attributes: (_, values) => attributesOf(partsOf(values)),
};

export function isValueConversion(as: Conversion): as is ValueConversion {
  return as in CONVERSIONS;
}

/** @param values several of a list */
export function convertValue(as: ValueConversion, values: readonly string[]): Converted {
  const text = values.join(',');
  return text === '' ? { problem: 'it is empty' } : CONVERSIONS[as](text, values);
}

/** The path of a `file:` URL, or why there is none. */
export function fileOf(text: string): { readonly value: string } | { readonly problem: string } {
  if (/^classpath\*?:/i.test(text)) {
    return { problem: 'it is on the class path: copy the file, and set its path' };
  }
  if (text.includes(',')) return { problem: 'there is one file here: join them' };
  return { value: text.replace(/^file:(?:\/\/(?=\/))?/i, '') };
}

/** The elements of lists and of texts with commas. */
export function partsOf(values: readonly string[]): readonly string[] {
  return values
    .flatMap((value) => value.split(','))
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

/** The name after `attributes.` in a key, as it is written. */
export function attributeIn(key: string): string {
  return key.replace(/^.*?\.attributes\./i, '');
}

/** A number without a unit has the one that is given; ISO 8601 stays. There, zero is no limit. */
function durationOf(text: string, unit: 's' | 'd' | 'ms'): Converted {
  const iso = text.toUpperCase();
  if (/[1-9]/.test(text)) {
    if (/^\d+$/.test(text)) return { value: `${text}${unit}` };
    if (/^P[\dDTHMS.]+$/.test(iso)) return { value: iso };
    if (/^\d+(?:ms|[smhd])$/.test(text)) return { value: text };
  }
  return { problem: 'it is no duration above zero: the default counts' };
}

function filterOf(text: string): string {
  const filter = text.replaceAll(/\{user\}|\{0\}|%u|%s/g, '{username}');
  return filter.startsWith('(') ? filter : `(${filter})`;
}

/** There the pattern is searched in the name; ours matches the whole name. */
function namePatternOf(text: string): Converted {
  const pattern = hasAlternatives(text) ? `.*(?:${text}).*` : searched(text);
  const read = readValues([pattern], { ignoresCase: false, matchesParts: false });
  if ('patterns' in read) return { value: read.patterns[0] ?? pattern };
  return { problem: 'only Java has such a pattern: set sso.authentication.ldap.name-pattern' };
}

/** Anchors of such a pattern belong to one alternative each. */
function hasAlternatives(pattern: string): boolean {
  return pattern.replaceAll(/(?<!\\)\([^()\\]*\)/g, '').includes('|');
}

function searched(pattern: string): string {
  const hasEnd = pattern.endsWith('$') && !pattern.endsWith(String.raw`\$`);
  const inner = pattern.slice(pattern.startsWith('^') ? 1 : 0, hasEnd ? -1 : undefined);
  return `${pattern.startsWith('^') ? '' : '.*'}${inner}${hasEnd ? '' : '.*'}`;
}

/** `mail,cn:name`. An attribute that is named twice keeps the last name. */
function attributesOf(list: readonly string[]): Converted {
  const map: Record<string, string> = {};
  const lost: string[] = [];
  for (const each of list) {
    const [source = '', target = source] = each.split(':');
    if (!/^[A-Za-z][A-Za-z0-9-]*$/.test(source) || /password/i.test(source)) continue;
    const before = map[source];
    if (before !== undefined && before !== target) lost.push(before);
    map[source] = target;
  }
  const value: ValueMap = map;
  if (Object.keys(map).length === 0) return { problem: 'it names no attribute' };
  return { value, ...(lost.length > 0 && { note: lostNames(lost) }) };
}

/** An attribute of a directory has one name here. */
export function lostNames(names: readonly string[]): string {
  return `without ${names.join(', ')}, a second name of an attribute: sso.authentication.computed-attributes can copy it`;
}
