// Owns how YAML writes one text: plain, quoted or as a block, so that it reads back as that text. The choice and the
// folding of long lines are those of the YAML writer behind existing servers.

/** As wide as a line gets before the next space breaks it. */
const WIDTH = 80;
/** What YAML 1.1 reads as something else than text. @see https://yaml.org/type/ */
const OTHER_TYPES = [
  /^(?:yes|Yes|YES|no|No|NO|true|True|TRUE|false|False|FALSE|on|On|ON|off|Off|OFF)$/,
  /^(?:~|null|Null|NULL|<<|[!&*]| )$/,
  /^[-+]?(?:0b_*[01][01_]*|0x_*[\da-fA-F][\da-fA-F_]*|\d[\d_]*(?::[0-5]?\d)*)$/,
  /^[-+]?(?:\d[\d_]*\.[\d_]*(?:[eE][-+]?\d+)?|\d[\d_]*[eE][-+]?\d+|\.[\d_]+(?:[eE][-+]?\d+)?)$/,
  /^[-+]?(?:\d[\d_]*(?::[0-5]?\d)+\.[\d_]*|\.(?:inf|Inf|INF))$|^\.(?:nan|NaN|NAN)$/,
  /^\d{4}-\d\d-\d\d$/,
  /^\d{4}-\d\d?-\d\d?(?:[Tt]|[ \t]+)\d\d?:\d\d:\d\d(?:\.\d*)?(?:[ \t]*(?:Z|[-+]\d\d?(?::\d\d)?))?$/,
];
/** What opens something else than a plain text, and what ends one. */
const INDICATORS = /^(?:---|\.\.\.|[#,[\]{}&*!|>'"%@`]|[?:-](?: |$))|:(?: |$)| #/;
/** What cannot stand in YAML as it is. */
const UNPRINTABLE = /[^\n\u0020-\u007e\u0085\u00a0-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u;
/** Spaces that end a line, and line breaks that readers take for others. */
const UNFIT_FOR_BLOCKS = / (?:$|\n)|[\u0085\u2028\u2029]/;
const LINE_BREAK = /[\n\u0085\u2028\u2029]/;

/** Where a text is to be written. */
export interface ScalarPlace {
  /** Characters in front of it on its line. */
  readonly column: number;
  /** Of the lines below it, in spaces. */
  readonly indent: number;
}

type Style = 'plain' | 'single' | 'literal' | 'double';

/** A key on one line. */
export function keyScalar(text: string): string {
  const style = styleOf(text);
  if (style === 'plain') return text;
  return style === 'single' ? singleQuoted(text) : doubleQuoted(text);
}

/**
 * @param template the text before its placeholders were resolved: where that was plain, the result is too if it can be,
 *   so that `${port}` becomes the number it stands for
 */
export function valueScalar(text: string, place: ScalarPlace, template = text): string {
  switch (styleFor(text, template)) {
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

function styleFor(text: string, template: string): Style {
  const style = styleOf(text);
  if (text === template || (style !== 'plain' && style !== 'single')) return style;
  if (styleOf(template) === 'plain') return isPlainSafe(text) ? 'plain' : style;
  return 'single';
}

function styleOf(text: string): Style {
  if (UNPRINTABLE.test(text)) return 'double';
  if (LINE_BREAK.test(text)) return UNFIT_FOR_BLOCKS.test(text) ? 'double' : 'literal';
  return isPlainSafe(text) && !OTHER_TYPES.some((type) => type.test(text)) ? 'plain' : 'single';
}

function isPlainSafe(text: string): boolean {
  return text !== '' && !/^ | $/.test(text) && !INDICATORS.test(text) && !LINE_BREAK.test(text);
}

function singleQuoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** JSON's escapes are YAML's. */
function doubleQuoted(text: string): string {
  return JSON.stringify(text).replaceAll(
    /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Breaks a line at the first single space behind its width. */
function folded(text: string, { column, indent }: ScalarPlace): string {
  if (column + text.length <= WIDTH) return text;
  let at = column;
  return text.replaceAll(/(?<=\S) (?=\S)|[^ ]+| +/g, (part) => {
    if (part === ' ' && at > WIDTH) {
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

/** What becomes of the newlines at the end. */
function chomping(text: string): string {
  if (!text.endsWith('\n')) return '-';
  return text === '\n' || text.endsWith('\n\n') ? '+' : '';
}
