// Owns what the nodes of a document of YAML come to: what aliases stand for, which keys are merged, which types scalars
// have.
import {
  isAlias,
  isMap,
  isScalar,
  isSeq,
  visit,
  type Alias,
  type Document,
  type Node,
  type Pair,
  type Scalar as ScalarNode,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml';
import { ENTRY_SIZE, type ContentBudget } from './content-budget.js';
import { scalarText, type Scalar } from './property-document.js';
import type { SourceText } from './source-text.js';
import { yamlPlaces } from './yaml-places.js';
import { plainScalar, taggedScalar } from './yaml-scalar.js';

const COLLECTION_TAGS = new Set(['!', 'tag:yaml.org,2002:map', 'tag:yaml.org,2002:seq']);

/** What a key, or an element of a list, is given; aliases are followed. */
export interface Given {
  /** Null where nothing is written. */
  readonly node: Node | null;
  readonly offset: number;
}

export interface Member extends Given {
  readonly key: string;
}

export class YamlNodes {
  readonly #places: ReadonlyMap<Node, number>;
  readonly #targets = new Map<Alias, Node>();
  readonly #members = new Map<YAMLMap, readonly Member[]>();
  readonly #merging = new Set<YAMLMap>();

  /** @param budget of what is merged */
  constructor(
    document: Document.Parsed,
    private readonly source: SourceText,
    private readonly budget: ContentBudget,
  ) {
    this.#places = yamlPlaces(document);
    const anchors = new Map<string, Node>();
    visit(document, {
      Alias: (_key, alias) => {
        const target = anchors.get(alias.source);
        if (!target) throw this.unreadable(alias, 'an alias (*name) leads nowhere');
        this.#targets.set(alias, target);
      },
      Value: (_key, node) => {
        if (node.anchor !== undefined) anchors.set(node.anchor, node);
      },
    });
  }

  /** The typed value of a node that is no collection. */
  scalar(node: Node): Scalar | null {
    if (!isScalar(node)) throw this.unreadable(node, 'a list or a map stands where a text belongs');
    const text = this.#textOf(node);
    if (node.tag !== undefined) {
      const value = taggedScalar(text, node.tag);
      if (value !== undefined) return value;
      throw this.unreadable(node, 'a value that begins with ! needs quotes around it');
    }
    if (isMergeKey(node)) throw this.unreadable(node, 'a << stands where a text belongs');
    return node.type === 'PLAIN' ? plainScalar(text) : text;
  }

  elements(list: YAMLSeq): Given[] {
    this.#refuseUnknownTag(list);
    return list.items.map((item) => this.#given(item as Node));
  }

  /** Merged keys stand where the merge does; what a map gives a key itself counts more than what is merged. */
  members(map: YAMLMap): readonly Member[] {
    const known = this.#members.get(map);
    if (known) return known;
    if (this.#merging.has(map)) throw this.unreadable(map, 'is merged into itself');
    this.#refuseUnknownTag(map);
    this.#merging.add(map);
    const members = [...this.#collect(map.items as Pair<Node, Node | null>[]).values()];
    this.#merging.delete(map);
    this.#members.set(map, members);
    return members;
  }

  unreadable(node: Node, reason: string): Error {
    return this.source.unreadableAt(node.range?.[0] ?? 0, reason);
  }

  /** A block at the end of a text has no line end where the text has none. */
  #textOf({ value, type, range }: ScalarNode): string {
    const text = (value ?? '') as string;
    const whole = this.source.text;
    const isLast = type?.startsWith('BLOCK') && range?.[1] === whole.length;
    return isLast && !/\s$/.test(whole.slice(-1)) ? text.replace(/\n$/, '') : text;
  }

  #collect(pairs: readonly Pair<Node, Node | null>[]): Map<string, Member> {
    const members = new Map<string, Member>();
    const own = new Set<string>();
    for (const pair of pairs) {
      if (isMergeKey(pair.key)) {
        for (const member of this.#merged(pair)) {
          members.set(member.key, members.get(member.key) ?? member);
        }
      } else {
        const member = this.#member(pair);
        if (own.has(member.key)) throw this.unreadable(pair.key, 'a key is given twice');
        own.add(member.key);
        members.set(member.key, member);
      }
    }
    return members;
  }

  #member({ key, value }: Pair<Node, Node | null>): Member {
    if (isScalar(key) && key.source === '' && key.type === 'PLAIN') {
      throw this.unreadable(key, 'a key is missing');
    }
    const name = this.scalar(this.#target(key));
    const given = value ? this.#given(value) : { node: null, offset: key.range?.[1] ?? 0 };
    return { ...given, key: keyText(name) };
  }

  #merged({ key, value }: Pair<Node, Node | null>): Member[] {
    const given = value && this.#target(value);
    const maps = isSeq(given) ? given.items.map((item) => this.#target(item as Node)) : [given];
    return maps.flatMap((map) => {
      if (!isMap(map)) throw this.unreadable(key, 'a << merges what holds no keys');
      const members = this.members(map);
      this.budget.spend(key.range?.[0] ?? 0, members.length * ENTRY_SIZE);
      return members;
    });
  }

  #given(node: Node): Given {
    const target = this.#target(node);
    return { node: target, offset: this.#places.get(target) ?? target.range?.[0] ?? 0 };
  }

  #target(node: Node): Node {
    return (isAlias(node) && this.#targets.get(node)) || node;
  }

  #refuseUnknownTag(collection: YAMLMap | YAMLSeq): void {
    if (collection.tag === undefined || COLLECTION_TAGS.has(collection.tag)) return;
    throw this.unreadable(collection, 'a tag (!name) is not read here; or quotes are missing');
  }
}

/** A key as flat keys have it: in brackets where it is no text. */
export function keyText(name: Scalar | null): string {
  return typeof name === 'string' ? name : `[${name === null ? 'null' : scalarText(name)}]`;
}

function isMergeKey(node: Node): boolean {
  return isScalar(node) && node.type === 'PLAIN' && node.tag === undefined && node.value === '<<';
}
