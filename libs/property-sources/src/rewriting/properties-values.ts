import { parseLines, type Pair } from 'dot-properties';
import { writtenValues } from '../properties-reader.js';
import type { SourceText } from '../source-text.js';
import type { SerialisedValue } from './serialised-value.js';

/** The values of a `.properties` text, with their spans. */
export function* propertiesValues(source: SourceText): Iterable<SerialisedValue> {
  for (const line of parseLines(source.text, true)) {
    if (line.type !== 'PAIR') continue;
    for (const { key, value, start, end } of writtenValues(line as Required<Pair>, source)) {
      yield { key, value, span: { start, end } };
    }
  }
}
