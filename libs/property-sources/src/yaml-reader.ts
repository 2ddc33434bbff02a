// Reads YAML as Spring Boot does, into flat keys with typed values.
import { isScalar, type Document, type Node } from 'yaml';
import { withActivation } from './activation.js';
import { ContentBudget, ENTRY_SIZE, refuseManyDocuments } from './content-budget.js';
import {
  scalarText,
  type Properties,
  type Property,
  type PropertyDocument,
} from './property-document.js';
import { SourceText } from './source-text.js';
import { MAX_NESTING, yamlDocuments } from './yaml-documents.js';
import { YamlNodes, type NodeValue } from './yaml-nodes.js';

/** The key of a document that is a text or a list. */
export const DOCUMENT_KEY = 'document';

/**
 * The non-empty documents of a file, as Spring Boot 3.5 reads them: null and `[]` are `""`, `{}` has no key, dates are texts,
 * `0777` is 511. A `!!set` is a list, an `!!omap` a map. Of a key written in two ways (`a.b: 1`, `a: {b: 1}`) the later one counts. A document that is a text or a
 * list has the key `document`. The caller limits the size of the file.
 *
 * @param name of the file, for errors
 * @throws PropertySourceError SOURCE_UNREADABLE for invalid YAML, a repeated key in one map, a tag that is not YAML's own, an
 *   alias without target or to itself, or too much content
 */
export function readYaml(text: string, name: string): PropertyDocument[] {
  // In YAML 1.1 this control character ends a line.
  const source = new SourceText(text.replaceAll('\u0085', '\n'), name);
  const budget = new ContentBudget(source);
  const documents: Properties[] = [];
  for (const document of yamlDocuments(source)) {
    const properties = new Flattener(document, source, budget).flatten(document.contents);
    if (properties) documents.push(properties);
  }
  refuseManyDocuments(documents, source);
  return withActivation(documents, source);
}

/** Flattens one document. */
class Flattener {
  readonly #properties = new Map<string, Property>();
  readonly #nodes: YamlNodes;
  readonly #ancestors = new Set<Node>();

  constructor(
    document: Document.Parsed,
    private readonly source: SourceText,
    private readonly budget: ContentBudget,
  ) {
    this.#nodes = new YamlNodes(document, source, budget);
  }

  /** Undefined for a document without content; an empty map is content. */
  flatten(top: Node | null): Map<string, Property> | undefined {
    const offset = top?.range?.[0] ?? 0;
    const hasKeys = top !== null && this.#nodes.contentsOf(top)?.members !== undefined;
    this.#add(hasKeys ? '' : DOCUMENT_KEY, { node: top, offset });
    const isEmpty = !hasKeys && this.#properties.get(DOCUMENT_KEY)?.value === '';
    return isEmpty ? undefined : this.#properties;
  }

  #add(path: string, { node, offset }: NodeValue): void {
    const { members, elements = [] } = (node && this.#nodes.contentsOf(node)) ?? {};
    if (node && members) {
      this.#inside(node, () => {
        for (const member of members) this.#add(joined(path, member.key), member);
      });
    } else if (node && elements.length > 0) {
      this.#inside(node, () => {
        elements.forEach((item, index) => this.#add(`${path}[${index}]`, item));
      });
    } else {
      const value = node && isScalar(node) ? (this.#nodes.scalar(node) ?? '') : '';
      this.budget.spend(offset, ENTRY_SIZE + path.length + scalarText(value).length);
      this.#properties.set(path, { value, origin: this.source.originAt(offset) });
    }
  }

  #inside(collection: Node, visit: () => void): void {
    if (this.#ancestors.has(collection)) throw this.#nodes.unreadable(collection, 'holds itself');
    if (this.#ancestors.size > MAX_NESTING) {
      throw this.#nodes.unreadable(collection, 'is nested too deeply');
    }
    this.budget.spend(collection.range?.[0] ?? 0, ENTRY_SIZE);
    this.#ancestors.add(collection);
    visit();
    this.#ancestors.delete(collection);
  }
}

/** Joins the parts of a flat key: no dot before a bracket, and a blank part is left out. */
export function joined(path: string, key: string): string {
  if (path.trim() === '') return key;
  return key.startsWith('[') ? path + key : `${path}.${key}`;
}
