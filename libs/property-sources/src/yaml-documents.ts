// Owns the taking apart of YAML text into documents of nodes, and what is refused on the way. What nodes mean is not its
// affair.
import { Composer, Lexer, Parser, type CST, type Document } from 'yaml';
import type { SourceText } from './source-text.js';
import { explainYamlFault } from './yaml-faults.js';

/** Collections within collections, as SnakeYAML bounds them. */
export const DEEPEST_NESTING = 50;

/** Words, signs, spaces and line ends that a file may have: some cost a hundred times what others do. */
const MOST_TOKENS = 100_000;
const TOO_MANY_TOKENS = 'has more than 100,000 parts: split it, or write it as .properties';

const UNPRINTABLE = /[^\t\n\r\x20-\x7E\x85\xA0-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/u;

/** @throws PropertySourceError SOURCE_UNREADABLE */
export function yamlDocuments(source: SourceText): Document.Parsed[] {
  const { text } = source;
  const unprintable = text.search(UNPRINTABLE);
  if (unprintable >= 0) throw source.unreadableAt(unprintable, 'holds a control character');
  const tokens = yamlTokens(text, (offset, reason) => source.unreadableAt(offset, reason));
  // Keys given twice are looked for where nodes are read: here that takes time without bound.
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
  const fault = documents.flatMap(({ errors }) => errors)[0];
  if (fault) {
    const { offset, reason } = explainYamlFault(fault, source.text);
    throw source.malformedAt(offset, reason);
  }
  return documents;
}

/** Makes an error of what is wrong at a place of a text, in UTF-16 code units. */
type Refusal = (offset: number, reason: string) => Error;

/**
 * What a composer makes documents of. Stops where there is too much: nobody else gets a turn until a file is parsed.
 *
 * @throws what `refusal` makes
 */
export function yamlTokens(text: string, refusal: Refusal): CST.Token[] {
  const parser = new Parser();
  const tokens: CST.Token[] = [];
  let count = 0;
  for (const lexeme of new Lexer().lex(text)) {
    count += 1;
    if (count > MOST_TOKENS) throw refusal(parser.offset, TOO_MANY_TOKENS);
    tokens.push(...parser.next(lexeme));
  }
  tokens.push(...parser.end());
  for (const token of tokens) refuseDeepNesting(token, 0, refusal);
  return tokens;
}

/** Goes no deeper than it allows, so that the composer, which calls itself, does not either. */
function refuseDeepNesting(token: CST.Token, depth: number, refusal: Refusal): void {
  if (token.type === 'document' && token.value) refuseDeepNesting(token.value, depth, refusal);
  if (!('items' in token)) return;
  if (depth === DEEPEST_NESTING) throw refusal(token.offset, 'is nested too deeply');
  for (const { key, value } of token.items) {
    if (key) refuseDeepNesting(key, depth + 1, refusal);
    if (value) refuseDeepNesting(value, depth + 1, refusal);
  }
}
