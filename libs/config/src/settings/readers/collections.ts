// Readers of lists, maps and families of keys.
import { isList, isTree, rawValueOf, type RawValue } from '../raw-value.js';
import type { Secret } from '../secret.js';
import { InvalidValue, scalarText, type Reader } from './reader.js';
import { oneOf, pathName, secret, text } from './scalars.js';

/** The levels of log lines, lowest first. */
export type LevelName = 'debug' | 'info' | 'warn' | 'error';

/** A list of texts: a YAML list, or one text with elements separated by commas. */
export const list: Reader<readonly string[]> = listOf(text);

/** As `list`, with secret elements. */
export const secretList: Reader<readonly Secret[]> = listOf(secret);

/** As `list`, with elements that are safe in file names. */
export const pathNames: Reader<readonly string[]> = listOf(pathName);

/** One text or a YAML list of texts; commas do not separate elements. */
export const texts: Reader<readonly string[]> = {
  kind: 'list',
  read: (raw) => eachElement(isList(raw.content) ? raw.content : [raw], text),
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
export const levels: Reader<Readonly<Record<string, LevelName>>> = familyOf({
  ...level,
  read(raw) {
    const word = typeof raw.content === 'string' ? raw.content.trim().toLowerCase() : '';
    return SPRING_LEVELS.get(word) ?? level.read(raw);
  },
});

/**
 * A map from names to values: a YAML map, or JSON in sources that hold only text. Names may contain dots.
 * Maps of several sources are not merged. The result has no prototype.
 */
export function map<V>(each: Reader<V>): Reader<Readonly<Record<string, V>>> {
  return {
    kind: 'map',
    ...(each.secret ? { secret: true } : {}),
    read(raw) {
      const content = mapContent(raw);
      return content instanceof InvalidValue ? content : eachMember(content, each);
    },
  };
}

/** The same reader for a value that is never shown. */
export function hidden<V>(reader: Reader<V>): Reader<V> {
  return { ...reader, secret: true };
}

function listOf<V>(each: Reader<V>): Reader<readonly V[]> {
  return {
    kind: 'list',
    ...(each.secret ? { secret: true } : {}),
    read(raw) {
      if (isList(raw.content)) return eachElement(raw.content, each);
      const written = scalarText(raw, 'a list');
      if (written instanceof InvalidValue) return written;
      const elements = written.split(',').map((element) => element.trim());
      return eachElement(
        elements
          .filter((element) => element !== '')
          .map((element) => rawValueOf(element, raw.origin)),
        each,
      );
    },
  };
}

function familyOf<V>(member: Reader<V>): Reader<Readonly<Record<string, V>>> {
  return {
    ...map(member),
    kind: member.kind,
    ...(member.words && { words: member.words }),
    member,
  };
}

function eachElement<V>(
  elements: readonly RawValue[],
  each: Reader<V>,
): readonly V[] | InvalidValue {
  const result: V[] = [];
  for (const [index, element] of elements.entries()) {
    const value = each.read(element);
    if (value instanceof InvalidValue) {
      const at = `element ${index + 1}`;
      return new InvalidValue(`${at} ${value.reason}`, value.mayQuote, `${at} ${value.rule}`);
    }
    result.push(value);
  }
  return result;
}

function eachMember<V>(
  content: ReadonlyMap<string, RawValue>,
  each: Reader<V>,
): Readonly<Record<string, V>> | InvalidValue {
  const result = Object.create(null) as Record<string, V>;
  for (const [index, [name, raw]] of [...content].entries()) {
    if (name === '__proto__') return new InvalidValue('may not hold the name __proto__');
    const value = each.read(raw);
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
  const written = scalarText(raw, expected);
  if (written instanceof InvalidValue) return written;
  const parsed = rawValueOf(parseJson(written), raw.origin).content;
  return isTree(parsed) ? parsed : new InvalidValue(`must be ${expected}`);
}

function parseJson(written: string): unknown {
  try {
    return JSON.parse(written);
  } catch {
    return undefined;
  }
}
