// Writes the flattened form `.yml`: one document in block style, with nested keys where possible. Every text reads back
// unchanged, by YAML 1.1 and 1.2. Quoting and folding are those of SnakeYAML, which existing servers use.
import { NumberLiteral } from '@tessera/property-sources';
import type { FlatProperties, FlatValue } from './flat-properties.js';
import { treeOf, type TreeList, type TreeMap, type TreeNode } from './property-tree.js';

const INDENT = 2;
/** A longer line is broken at its next space. */
const LINE_WIDTH = 80;
/** Plain scalars that YAML 1.1 or 1.2 does not read as strings. @see https://yaml.org/type/ and YAML 1.2.2 §10.3.2 */
const OTHER_TYPES = [
  /^[-+]?0o[0-7]+$/,
  /^(?:yes|Yes|YES|no|No|NO|true|True|TRUE|false|False|FALSE|on|On|ON|off|Off|OFF)$/,
  /^(?:~|null|Null|NULL|<<|[!&*=]| )$/,
  /^[-+]?(?:0b_*[01][01_]*|0x_*[\da-fA-F][\da-fA-F_]*|\d[\d_]*(?::[0-5]?\d)*)$/,
  /^[-+]?(?:\d[\d_]*\.[\d_]*(?:[eE][-+]?\d+)?|\d[\d_]*[eE][-+]?\d+|\.[\d_]+(?:[eE][-+]?\d+)?)$/,
  /^[-+]?(?:\d[\d_]*(?::[0-5]?\d)+\.[\d_]*|\.(?:inf|Inf|INF))$|^\.(?:nan|NaN|NAN)$/,
  /^\d{4}-\d\d-\d\d$/,
  /^\d{4}-\d\d?-\d\d?(?:[Tt]|[ \t]+)\d\d?:\d\d:\d\d(?:\.\d*)?(?:[ \t]*(?:Z|[-+]\d\d?(?::\d\d)?))?$/,
];
/** Characters that cannot start a plain scalar, or that end it. */
const INDICATORS = /^(?:---|\.\.\.|[#,[\]{}&*!|>'"%@`]|[?:-](?: |$))|:(?: |$)| #/;
/** Characters that YAML requires to be escaped. */
const UNPRINTABLE = /[^\n\u0020-\u007e\u0085\u00a0-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u;
/** Trailing spaces, and line breaks that readers replace by newlines. */
const FORBIDDEN_IN_BLOCKS = / (?:$|\n)|[\u0085\u2028\u2029]/;
const LINE_BREAK = /[\n\u0085\u2028\u2029]/;

interface ScalarPlace {
  /** The number of characters before the scalar on its line. */
  readonly column: number;
  /** Of the continuation lines, in spaces. */
  readonly indent: number;
}

type Style = 'plain' | 'single' | 'literal' | 'double';

export function flattenedYaml(properties: FlatProperties): string {
  return properties.size === 0 ? '{}\n' : `${mapLines(treeOf(properties), 0)}\n`;
}

/** Without the indent of the first line: the caller has written it. */
function mapLines(map: TreeMap, indent: number): string {
  const members = Array.from(map, ([key, child]) => {
    const name = `${keyScalar(key)}:`;
    // A list has the indent of its key.
    if (Array.isArray(child)) return `${name}\n${margin(indent)}${listLines(child, indent)}`;
    if (child instanceof Map) {
      return `${name}\n${margin(indent + INDENT)}${mapLines(child, indent + INDENT)}`;
    }
    const column = indent + name.length + 1;
    return `${name} ${valueText(child, { column, indent: indent + INDENT })}`;
  });
  return members.join(`\n${margin(indent)}`);
}

function listLines(list: TreeList, indent: number): string {
  const inner = indent + INDENT;
  const elements = list.map((child) => `- ${elementText(child, inner)}`);
  return elements.join(`\n${margin(indent)}`);
}

function elementText(child: TreeNode | undefined, indent: number): string {
  if (child === undefined) return 'null';
  if (Array.isArray(child)) return listLines(child, indent);
  if (child instanceof Map) return mapLines(child, indent);
  return valueText(child, { column: indent, indent });
}

function valueText({ value, typed }: FlatValue, place: ScalarPlace): string {
  const shown = typed ?? value;
  if (shown instanceof NumberLiteral) return shown.yaml;
  return typeof shown === 'string' ? valueScalar(shown, place) : String(shown);
}

function margin(indent: number): string {
  return ' '.repeat(indent);
}

/** Writes a key on one line. */
function keyScalar(text: string): string {
  const style = styleOf(text);
  if (style === 'plain') return text;
  return style === 'single' ? singleQuoted(text) : doubleQuoted(text);
}

function valueScalar(text: string, place: ScalarPlace): string {
  switch (styleOf(text)) {
    case 'plain':
      return folded(text, place);
    case 'single':
      return folded(singleQuoted(text), place);
    case 'literal':
      return literal(text, place.indent);
    case 'double':
      return doubleQuoted(text);
  }
}

function styleOf(text: string): Style {
  if (UNPRINTABLE.test(text)) return 'double';
  if (LINE_BREAK.test(text)) return FORBIDDEN_IN_BLOCKS.test(text) ? 'double' : 'literal';
  return isPlainSafe(text) && !OTHER_TYPES.some((type) => type.test(text)) ? 'plain' : 'single';
}

function isPlainSafe(text: string): boolean {
  return text !== '' && !/^ | $/.test(text) && !INDICATORS.test(text) && !LINE_BREAK.test(text);
}

function singleQuoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** YAML supports JSON's escapes. */
function doubleQuoted(text: string): string {
  return JSON.stringify(text).replaceAll(
    /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Breaks each line at the first single space after its width. */
function folded(text: string, { column, indent }: ScalarPlace): string {
  if (column + text.length <= LINE_WIDTH) return text;
  let at = column;
  return text.replaceAll(/(?<=\S) (?=\S)|[^ ]+| +/g, (part) => {
    if (part === ' ' && at > LINE_WIDTH) {
      at = indent;
      return `\n${' '.repeat(indent)}`;
    }
    at += part.length;
    return part;
  });
}

function literal(text: string, indent: number): string {
  const lines = text.split('\n').map((line) => (line === '' ? '' : ' '.repeat(indent) + line));
  return `|${/^[\n ]/.test(text) ? 2 : ''}${chomping(text)}\n${lines.join('\n').replace(/\n$/, '')}`;
}

/** Indicates which newlines at the end are kept. */
function chomping(text: string): string {
  if (!text.endsWith('\n')) return '-';
  return text === '\n' || text.endsWith('\n\n') ? '+' : '';
}
