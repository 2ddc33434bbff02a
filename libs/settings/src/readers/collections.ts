// Owns the readers of lists and maps, and of families of keys.
import { isList, isTree, rawValueOf, type RawValue } from '../raw-value.js';
import type { Secret } from '../secret.js';
import { Refusal, scalarText, type Reader } from './reader.js';
import { oneOf, pathName, secret, text } from './scalars.js';

/** The levels of log lines, lowest first. */
export type LevelName = 'debug' | 'info' | 'warn' | 'error';

/** A list of texts: a YAML list, or one text with commas between the elements. */
export const list: Reader<readonly string[]> = listOf(text);

/** As `list`, its elements secret. */
export const secretList: Reader<readonly Secret[]> = listOf(secret);

/** As `list`, its elements fit for file names. */
export const pathNames: Reader<readonly string[]> = listOf(pathName);

/** One text or a YAML list of texts; a comma is a character like any other. */
export const texts: Reader<readonly string[]> = {
  read: (raw) => eachElement(isList(raw.content) ? raw.content : [raw], text),
};

/** The level of each logger below the setting's key; logger names may hold dots. */
export const levels: Reader<Readonly<Record<string, LevelName>>> = familyOf(
  oneOf<LevelName>('debug', 'info', 'warn', 'error'),
);

/**
 * Names with a value each: a YAML map, or JSON where only text can be written. Names may hold dots.
 * One source's map replaces another's as a whole. The result has no prototype.
 */
export function map<V>(each: Reader<V>): Reader<Readonly<Record<string, V>>> {
  return {
    ...(each.secret ? { secret: true } : {}),
    read(raw) {
      const content = mapContent(raw);
      return content instanceof Refusal ? content : eachMember(content, each);
    },
  };
}

/** As another reader, of what is never shown. */
export function hidden<V>(reader: Reader<V>): Reader<V> {
  return { ...reader, secret: true };
}

function listOf<V>(each: Reader<V>): Reader<readonly V[]> {
  return {
    ...(each.secret ? { secret: true } : {}),
    read(raw) {
      if (isList(raw.content)) return eachElement(raw.content, each);
      const written = scalarText(raw, 'a list');
      if (written instanceof Refusal) return written;
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
  return { ...map(member), member };
}

function eachElement<V>(elements: readonly RawValue[], each: Reader<V>): readonly V[] | Refusal {
  const result: V[] = [];
  for (const [index, element] of elements.entries()) {
    const value = each.read(element);
    if (value instanceof Refusal) {
      const at = `element ${index + 1}`;
      return new Refusal(`${at} ${value.reason}`, value.mayQuote, `${at} ${value.rule}`);
    }
    result.push(value);
  }
  return result;
}

function eachMember<V>(
  content: ReadonlyMap<string, RawValue>,
  each: Reader<V>,
): Readonly<Record<string, V>> | Refusal {
  const result = Object.create(null) as Record<string, V>;
  for (const [index, [name, raw]] of [...content].entries()) {
    if (name === '__proto__') return new Refusal('may not hold the name __proto__');
    const value = each.read(raw);
    if (value instanceof Refusal) {
      return new Refusal(`"${name}" ${value.reason}`, false, `entry ${index + 1} ${value.rule}`);
    }
    result[name] = value;
  }
  return result;
}

function mapContent(raw: RawValue): ReadonlyMap<string, RawValue> | Refusal {
  if (isTree(raw.content)) return raw.content;
  const expected = 'a map (as text: JSON, {"name": …})';
  const written = scalarText(raw, expected);
  if (written instanceof Refusal) return written;
  const parsed = rawValueOf(parseJson(written), raw.origin).content;
  return isTree(parsed) ? parsed : new Refusal(`must be ${expected}`);
}

function parseJson(written: string): unknown {
  try {
    return JSON.parse(written);
  } catch {
    return undefined;
  }
}
