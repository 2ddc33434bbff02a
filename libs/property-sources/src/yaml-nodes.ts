// The nodes of a YAML document, with aliases and merge keys resolved and scalars typed.
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
import { yamlOffsets } from './yaml-offsets.js';
import { plainScalar, taggedScalar } from './yaml-scalar.js';

const COLLECTION_TAGS = new Set(['!', 'tag:yaml.org,2002:map', 'tag:yaml.org,2002:seq']);

/** The value of a key or an element of a list; aliases are resolved. */
export interface NodeValue {
  /** Null for a missing value. */
  readonly node: Node | null;
  readonly offset: number;
}

export interface Member extends NodeValue {
  readonly key: string;
}

export class YamlNodes {
  readonly #offsets: ReadonlyMap<Node, number>;
  readonly #targets = new Map<Alias, Node>();
  readonly #members = new Map<YAMLMap, readonly Member[]>();
  readonly #merging = new Set<YAMLMap>();

  constructor(
    document: Document.Parsed,
    private readonly source: SourceText,
    private readonly budget: ContentBudget,
  ) {
    this.#offsets = yamlOffsets(document);
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

  /** The typed value of a scalar node. */
  scalar(node: Node): Scalar | null {
    if (!isScalar(node)) throw this.unreadable(node, 'a list or a map where a text belongs');
    const text = this.#textOf(node);
    if (node.tag !== undefined) {
      const value = taggedScalar(text, node.tag);
      if (value !== undefined) return value;
      throw this.unreadable(node, 'a value that begins with ! needs quotes around it');
    }
    if (isMergeKey(node)) throw this.unreadable(node, 'a << where a text belongs');
    return node.type === 'PLAIN' ? plainScalar(text) : text;
  }

  elements(list: YAMLSeq): NodeValue[] {
    this.#refuseUnknownTag(list);
    return list.items.map((item) => this.#valueOf(item as Node));
  }

  /** Merged keys are at the position of the merge; the own keys of a map override merged ones. */
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

  /** The parser adds a line end to a block at the end of a text that has none. */
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
    const given = value ? this.#valueOf(value) : { node: null, offset: key.range?.[1] ?? 0 };
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

  #valueOf(node: Node): NodeValue {
    const target = this.#target(node);
    return { node: target, offset: this.#offsets.get(target) ?? target.range?.[0] ?? 0 };
  }

  #target(node: Node): Node {
    return (isAlias(node) && this.#targets.get(node)) || node;
  }

  #refuseUnknownTag(collection: YAMLMap | YAMLSeq): void {
    if (collection.tag === undefined || COLLECTION_TAGS.has(collection.tag)) return;
    throw this.unreadable(collection, 'a tag (!name) is not read here; or quotes are missing');
  }
}

/** A key in its flat form: in brackets if it is no text. */
export function keyText(name: Scalar | null): string {
  return typeof name === 'string' ? name : `[${name === null ? 'null' : scalarText(name)}]`;
}

function isMergeKey(node: Node): boolean {
  return isScalar(node) && node.type === 'PLAIN' && node.tag === undefined && node.value === '<<';
}
