// The offsets of values in a YAML document, as SnakeYAML reports them: with anchor and tag, and also for missing values.
import { isScalar, visit, type CST, type Document, type Node, type Pair, type YAMLSeq } from 'yaml';

type Tokens = readonly CST.SourceToken[] | undefined;

export function yamlOffsets(document: Document.Parsed): ReadonlyMap<Node, number> {
  const offsets = new Map<Node, number>();
  visit(document, {
    Pair: (_key, pair) => {
      const { value, srcToken } = pair as Pair<Node, Node | null>;
      if (value) offsets.set(value, offsetOf(value, srcToken?.sep));
    },
    Seq: (_key, seq) => {
      const { items, srcToken } = seq as YAMLSeq<Node>;
      items.forEach((item, index) => {
        const token = srcToken && 'items' in srcToken ? srcToken.items[index] : undefined;
        offsets.set(item, offsetOf(item, token?.start));
      });
    },
  });
  return offsets;
}

/** @param before the tokens between the key, or the dash, and the value */
function offsetOf(value: Node, before: Tokens): number {
  const property = before?.find(({ type }) => type === 'anchor' || type === 'tag');
  if (property) return property.offset;
  const mark = before?.find(({ type }) => type === 'map-value-ind' || type === 'seq-item-ind');
  const isWritten = !isScalar(value) || value.source !== '' || value.type !== 'PLAIN';
  return !isWritten && mark ? mark.offset + 1 : (value.range?.[0] ?? 0);
}
