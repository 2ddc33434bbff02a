// Owns where the values of a document of YAML begin, as SnakeYAML tells it: anchor and tag included, a value that is not
// written where it could have been.
import { isScalar, visit, type CST, type Document, type Node, type Pair, type YAMLSeq } from 'yaml';

type Tokens = readonly CST.SourceToken[] | undefined;

/** Offsets of nodes in the text. */
export function yamlPlaces(document: Document.Parsed): ReadonlyMap<Node, number> {
  const places = new Map<Node, number>();
  visit(document, {
    Pair: (_key, pair) => {
      const { value, srcToken } = pair as Pair<Node, Node | null>;
      if (value) places.set(value, placeOf(value, srcToken?.sep));
    },
    Seq: (_key, seq) => {
      const { items, srcToken } = seq as YAMLSeq<Node>;
      items.forEach((item, index) => {
        const token = srcToken && 'items' in srcToken ? srcToken.items[index] : undefined;
        places.set(item, placeOf(item, token?.start));
      });
    },
  });
  return places;
}

/** @param before what stands between the key, or the dash, and the value */
function placeOf(value: Node, before: Tokens): number {
  const property = before?.find(({ type }) => type === 'anchor' || type === 'tag');
  if (property) return property.offset;
  const mark = before?.find(({ type }) => type === 'map-value-ind' || type === 'seq-item-ind');
  const isWritten = !isScalar(value) || value.source !== '' || value.type !== 'PLAIN';
  return !isWritten && mark ? mark.offset + 1 : (value.range?.[0] ?? 0);
}
