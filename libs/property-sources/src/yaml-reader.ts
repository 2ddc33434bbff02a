// Owns the reading of YAML as Spring Boot does: documents of flat keys with typed values and their places.
import { isMap, isSeq, type Document, type Node } from 'yaml';
import { withActivation } from './activation.js';
import { ContentBudget, ENTRY_SIZE, refuseManyDocuments } from './content-budget.js';
import {
  scalarText,
  type Properties,
  type Property,
  type PropertyDocument,
} from './property-document.js';
import { SourceText } from './source-text.js';
import { DEEPEST_NESTING, yamlDocuments } from './yaml-documents.js';
import { YamlNodes, type Given } from './yaml-nodes.js';

/** The key of a text or a list that stands alone. */
export const ALONE = 'document';

/**
 * The documents of a file, those without content left out, as Spring Boot 3.5 reads them: null and `[]` are `""`, `{}` is
 * no key, dates are texts, `0777` is 511; of a key given in two ways (`a.b: 1`, `a: {b: 1}`) the later counts. A text or
 * a list alone has the key `document`. How large a file may be is the caller's to bound.
 *
 * @param name the file as people know it, for errors
 * @throws PropertySourceError SOURCE_UNREADABLE for what is no YAML, a key given twice in one map, a tag beyond the
 *   types of JSON, an alias that leads nowhere or to itself, and what comes to too much
 */
export function readYaml(text: string, name: string): PropertyDocument[] {
  // To YAML 1.1 this control character ends a line.
  const source = new SourceText(text.replaceAll('\u0085', '\n'), name);
  const budget = new ContentBudget(source);
  const documents: Properties[] = [];
  for (const document of yamlDocuments(source)) {
    const properties = new Flattening(document, source, budget).flatten(document.contents);
    if (properties) documents.push(properties);
  }
  refuseManyDocuments(documents, source);
  return withActivation(documents, source);
}

/** Makes one document flat. */
class Flattening {
  readonly #properties = new Map<string, Property>();
  readonly #nodes: YamlNodes;
  readonly #within = new Set<Node>();

  constructor(
    document: Document.Parsed,
    private readonly source: SourceText,
    private readonly budget: ContentBudget,
  ) {
    this.#nodes = new YamlNodes(document, source, budget);
  }

  /** Undefined where there is no content; an empty map is some. */
  flatten(top: Node | null): Map<string, Property> | undefined {
    const offset = top?.range?.[0] ?? 0;
    this.#add(isMap(top) ? '' : ALONE, { node: top, offset });
    const isNothing = !isMap(top) && this.#properties.get(ALONE)?.value === '';
    return isNothing ? undefined : this.#properties;
  }

  #add(path: string, { node, offset }: Given): void {
    if (isMap(node)) {
      this.#inside(node, () => {
        for (const member of this.#nodes.members(node)) this.#add(joined(path, member.key), member);
      });
    } else if (isSeq(node) && node.items.length > 0) {
      this.#inside(node, () => {
        this.#nodes.elements(node).forEach((item, index) => this.#add(`${path}[${index}]`, item));
      });
    } else {
      const value = node && !isSeq(node) ? (this.#nodes.scalar(node) ?? '') : '';
      this.budget.spend(offset, ENTRY_SIZE + path.length + scalarText(value).length);
      this.#properties.set(path, { value, origin: this.source.originAt(offset) });
    }
  }

  #inside(collection: Node, visit: () => void): void {
    if (this.#within.has(collection)) throw this.#nodes.unreadable(collection, 'holds itself');
    if (this.#within.size > DEEPEST_NESTING) {
      throw this.#nodes.unreadable(collection, 'is nested too deeply');
    }
    this.budget.spend(collection.range?.[0] ?? 0, ENTRY_SIZE);
    this.#within.add(collection);
    visit();
    this.#within.delete(collection);
  }
}

/** A key in brackets follows what it belongs to without a dot; under a blank key stands what would stand without it. */
export function joined(path: string, key: string): string {
  if (path.trim() === '') return key;
  return key.startsWith('[') ? path + key : `${path}.${key}`;
}
