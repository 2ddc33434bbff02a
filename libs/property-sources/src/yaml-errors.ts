// Messages for YAML that cannot be parsed. They quote nothing of the text, which may be a secret.
import type { YAMLParseError, YAMLWarning } from 'yaml';

/** By the code and message of the parser; the first match counts. */
const REASONS: readonly (readonly [form: RegExp, reason: string])[] = [
  [/^TAB_AS_INDENT/, 'a tab is used for indentation'],
  [/^BAD_INDENT .* and end with a [\]}]$/, 'a [ or { is not closed before here'],
  [/^BAD_INDENT/, 'is indented less or more than the lines that it belongs to'],
  [/^BLOCK_AS_IMPLICIT_KEY A block seq/, 'a list item (- …) among keys: put it below its own key'],
  [
    /^BLOCK_AS_IMPLICIT_KEY/,
    'a value with ": " in it needs quotes around it; or the line below is indented too far',
  ],
  [/^MULTILINE_IMPLICIT_KEY/, 'a line among keys has no ": " behind a key'],
  [/^MISSING_CHAR .* map values$/, 'a line among keys has no ": " behind a key'],
  [/^MISSING_CHAR .*quote$/, 'quotes are not closed before here'],
  [/^MISSING_CHAR Comments/, 'a # needs a space before it, or quotes around the whole value'],
  [/^BAD_SCALAR_START/, 'a value that begins with a sign such as @ % ` needs quotes around it'],
  [/^BAD_DQ_ESCAPE/, String.raw`a \ in double quotes is written \\; or take single quotes`],
  [/^BAD_ALIAS/, 'a value that begins with * or & needs quotes around it'],
  [/^TAG_RESOLVE_FAILED/, 'a value that begins with ! needs quotes around it'],
  [/^UNEXPECTED_TOKEN .* at node end$/, 'goes on behind the end of a value: put quotes around all'],
  [/^UNEXPECTED_TOKEN .* same line with key$/, 'a list begins on the line below its key'],
  [/^UNEXPECTED_TOKEN Block scalar/, 'a text after | or > begins on the line below'],
  [/^UNEXPECTED_TOKEN Unexpected flow-(?:seq|map)-end/, 'a ] or } closes nothing'],
  [/^KEY_OVER_1024_CHARS/, 'a key has more than 1,024 characters'],
];

/** Without quotes, so that YAML reads it as a map. */
const UNQUOTED_CIPHER = /(?<!["'])\{(?:cas-)?cipher\}/;

/**
 * The reason and position of an error; the code of the parser where no reason is known.
 *
 * @param text the parsed text
 * @returns the offset in UTF-16 code units
 */
export function explainYamlError(
  { code, message, pos: [offset] }: YAMLParseError | YAMLWarning,
  text: string,
): { offset: number; reason: string } {
  const lineStart = text.lastIndexOf('\n', offset - 1) + 1;
  const [line = ''] = text.slice(lineStart).split('\n', 1);
  const protectedAt = line.search(UNQUOTED_CIPHER);
  if (protectedAt >= 0) {
    const reason = 'a value that begins with { needs quotes around it';
    return { offset: lineStart + protectedAt, reason };
  }
  const known = REASONS.find(([form]) => form.test(`${code} ${message}`));
  const unknown = `is not valid YAML: ${code.toLowerCase().replaceAll('_', ' ')}`;
  return { offset, reason: known?.[1] ?? unknown };
}
