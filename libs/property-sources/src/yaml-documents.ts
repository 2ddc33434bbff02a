// Parses YAML text into documents of nodes, within limits of size and nesting.
import { Composer, Lexer, Parser, type CST, type Document } from 'yaml';
import type { SourceText } from './source-text.js';
import { explainYamlError } from './yaml-errors.js';

/** Of collections, as in SnakeYAML. */
export const MAX_NESTING = 50;

/** The cost of tokens differs by a factor of a hundred. */
const MAX_TOKENS = 100_000;
const TOO_MANY_TOKENS = 'has more than 100,000 parts: split it, or write it as .properties';

const UNPRINTABLE = /[^\t\n\r\x20-\x7E\x85\xA0-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/u;

/** @throws PropertySourceError SOURCE_UNREADABLE */
export function yamlDocuments(source: SourceText): Document.Parsed[] {
  const { text } = source;
  const unprintable = text.search(UNPRINTABLE);
  if (unprintable >= 0) throw source.unreadableAt(unprintable, 'holds a control character');
  const tokens = yamlTokens(text, (offset, reason) => source.unreadableAt(offset, reason));
  // `uniqueKeys` takes quadratic time: the reader of nodes checks for repeated keys.
  const composer = new Composer({
    version: '1.1',
    schema: 'failsafe',
    merge: false,
    uniqueKeys: false,
    prettyErrors: false,
    logLevel: 'silent',
    keepSourceTokens: true,
  });
  const documents = [...composer.compose(tokens)] as Document.Parsed[];
  const error = documents.flatMap(({ errors }) => errors)[0];
  if (error) {
    const { offset, reason } = explainYamlError(error, source.text);
    throw source.malformedAt(offset, reason);
  }
  return documents;
}

/** Makes an error for an offset in the text, in UTF-16 code units. */
type ErrorFactory = (offset: number, reason: string) => Error;

/**
 * The tokens of a text. Fails for a text that would block the event loop for long.
 *
 * @throws the error that `errorAt` makes
 */
export function yamlTokens(text: string, errorAt: ErrorFactory): CST.Token[] {
  const parser = new Parser();
  const tokens: CST.Token[] = [];
  let count = 0;
  for (const lexeme of new Lexer().lex(text)) {
    count += 1;
    if (count > MAX_TOKENS) throw errorAt(parser.offset, TOO_MANY_TOKENS);
    tokens.push(...parser.next(lexeme));
  }
  tokens.push(...parser.end());
  for (const token of tokens) refuseDeepNesting(token, 0, errorAt);
  return tokens;
}

/** Stops at the limit, which also bounds the recursion of the composer. */
function refuseDeepNesting(token: CST.Token, depth: number, errorAt: ErrorFactory): void {
  if (token.type === 'document' && token.value) refuseDeepNesting(token.value, depth, errorAt);
  if (!('items' in token)) return;
  if (depth === MAX_NESTING) throw errorAt(token.offset, 'is nested too deeply');
  for (const { key, value } of token.items) {
    if (key) refuseDeepNesting(key, depth + 1, errorAt);
    if (value) refuseDeepNesting(value, depth + 1, errorAt);
  }
}
