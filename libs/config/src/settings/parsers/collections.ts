// Parsers of lists, maps and families of keys.
import { isList, isTree, rawValueOf, type RawValue } from '../raw-value.js';
import type { Secret } from '../secret.js';
import { InvalidValue, scalarText, type SettingParser } from './setting-parser.js';
import { oneOf, pathName, secret, text } from './scalars.js';

/** The levels of log lines, lowest first. */
export type LevelName = 'debug' | 'info' | 'warn' | 'error';

/** A list of texts: a YAML list, or one text with elements separated by commas. */
export const list: SettingParser<readonly string[]> = listOf(text);

/** As `list`, with secret elements. */
export const secretList: SettingParser<readonly Secret[]> = listOf(secret);

/** As `list`, with elements that are safe in file names. */
export const pathNames: SettingParser<readonly string[]> = listOf(pathName);

/** One text or a YAML list of texts; commas do not separate elements. */
export const texts: SettingParser<readonly string[]> = {
  kind: 'list',
  parse: (raw) => eachElement(isList(raw.content) ? raw.content : [raw], text),
};

const level = oneOf<LevelName>('debug', 'info', 'warn', 'error');

/** Levels of Spring's files, and the nearest of ours. */
const SPRING_LEVELS: ReadonlyMap<string, LevelName> = new Map([
  ['trace', 'debug'],
  ['fatal', 'error'],
  ['off', 'error'],
  ['false', 'error'],
]);

/** The level of each logger; logger names may contain dots. */
export const levels: SettingParser<Readonly<Record<string, LevelName>>> = familyOf({
  ...level,
  parse(raw) {
    const word = typeof raw.content === 'string' ? raw.content.trim().toLowerCase() : '';
    return SPRING_LEVELS.get(word) ?? level.parse(raw);
  },
});

/**
 * A map from names to values: a YAML map, or JSON in sources that hold only text. Names may contain dots.
 * Maps of several sources are not merged. The result has no prototype.
 */
export function map<V>(each: SettingParser<V>): SettingParser<Readonly<Record<string, V>>> {
  return {
    kind: 'map',
    ...(each.secret ? { secret: true } : {}),
    parse(raw) {
      const content = mapContent(raw);
      return content instanceof InvalidValue ? content : eachMember(content, () => each);
    },
  };
}

/**
 * A map with fields of different kinds; any of them may be absent. The result has no prototype.
 *
 * @param shortField the field that a value other than a map stands for
 */
export function record<F extends object>(
  fields: { readonly [N in keyof F]: SettingParser<F[N]> },
  shortField: keyof F & string,
): SettingParser<Partial<F>> {
  const parsers = new Map<string, SettingParser<unknown>>(Object.entries(fields));
  const unknown = new InvalidValue(`is none of the fields ${[...parsers.keys()].join(', ')}`);
  return {
    kind: 'map',
    parse(raw) {
      const content = isTree(raw.content) ? raw.content : new Map([[shortField, raw]]);
      const members = eachMember(content, (name) => parsers.get(name) ?? unknown);
      return members as Partial<F> | InvalidValue;
    },
  };
}

/** The same parser for a value that is never shown. */
export function hidden<V>(parser: SettingParser<V>): SettingParser<V> {
  return { ...parser, secret: true };
}

function listOf<V>(each: SettingParser<V>): SettingParser<readonly V[]> {
  return {
    kind: 'list',
    ...(each.secret ? { secret: true } : {}),
    parse(raw) {
      if (isList(raw.content)) return eachElement(raw.content, each);
      const given = scalarText(raw, 'a list');
      if (given instanceof InvalidValue) return given;
      const elements = given.split(',').map((element) => element.trim());
      return eachElement(
        elements
          .filter((element) => element !== '')
          .map((element) => rawValueOf(element, raw.origin)),
        each,
      );
    },
  };
}

function familyOf<V>(member: SettingParser<V>): SettingParser<Readonly<Record<string, V>>> {
  return {
    ...map(member),
    kind: member.kind,
    ...(member.words && { words: member.words }),
    member,
  };
}

function eachElement<V>(
  elements: readonly RawValue[],
  each: SettingParser<V>,
): readonly V[] | InvalidValue {
  const result: V[] = [];
  for (const [index, element] of elements.entries()) {
    const value = each.parse(element);
    if (value instanceof InvalidValue) {
      const at = `element ${index + 1}`;
      return new InvalidValue(`${at} ${value.reason}`, value.mayQuote, `${at} ${value.rule}`);
    }
    result.push(value);
  }
  return result;
}

/** @param parserOf the parser of a member, or why it must not be there */
function eachMember<V>(
  content: ReadonlyMap<string, RawValue>,
  parserOf: (name: string) => SettingParser<V> | InvalidValue,
): Readonly<Record<string, V>> | InvalidValue {
  const result = Object.create(null) as Record<string, V>;
  for (const [index, [name, raw]] of [...content].entries()) {
    if (name === '__proto__') return new InvalidValue('may not hold the name __proto__');
    const parser = parserOf(name);
    const value = parser instanceof InvalidValue ? parser : parser.parse(raw);
    if (value instanceof InvalidValue) {
      return new InvalidValue(
        `"${name}" ${value.reason}`,
        false,
        `entry ${index + 1} ${value.rule}`,
      );
    }
    result[name] = value;
  }
  return result;
}

function mapContent(raw: RawValue): ReadonlyMap<string, RawValue> | InvalidValue {
  if (isTree(raw.content)) return raw.content;
  const expected = 'a map (as text: JSON, {"name": …})';
  const given = scalarText(raw, expected);
  if (given instanceof InvalidValue) return given;
  const parsed = rawValueOf(parseJson(given), raw.origin).content;
  return isTree(parsed) ? parsed : new InvalidValue(`must be ${expected}`);
}

function parseJson(given: string): unknown {
  try {
    return JSON.parse(given);
  } catch {
    return undefined;
  }
}
