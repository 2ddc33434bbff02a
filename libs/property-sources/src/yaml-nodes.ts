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
import { MAX_NESTING } from './yaml-documents.js';
import { yamlOffsets } from './yaml-offsets.js';
import { plainScalar, taggedScalar } from './yaml-scalar.js';

const CORE_TAG = 'tag:yaml.org,2002:';
const SET = `${CORE_TAG}set`;
const MERGE = `${CORE_TAG}merge`;
const ORDERED_MAP = `${CORE_TAG}omap`;
/** A list of pairs is a list of maps. */
const LIST_TAGS = new Set(['!', `${CORE_TAG}seq`, ORDERED_MAP, `${CORE_TAG}pairs`]);
const MAP_TAGS = new Set(['!', `${CORE_TAG}map`, SET]);
const UNKNOWN_TAG =
  'a tag (!name) is not read here; a value that begins with ! needs quotes around it';

/** The value of a key or an element of a list; aliases are resolved. */
export interface NodeValue {
  /** Null for a missing value. */
  readonly node: Node | null;
  readonly offset: number;
}

export interface Member extends NodeValue {
  readonly key: string;
}

/** One of them. */
export interface Contents {
  /** Of a map or an `!!omap`. */
  readonly members?: readonly Member[];
  /** Of a list or a `!!set`. */
  readonly elements?: readonly NodeValue[];
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
      throw this.unreadable(node, UNKNOWN_TAG);
    }
    if (isMergeKey(node)) throw this.unreadable(node, 'a << where a text belongs');
    return node.type === 'PLAIN' ? plainScalar(text) : text;
  }

  /** Undefined for a scalar. */
  contentsOf(node: Node): Contents | undefined {
    if (isMap(node)) {
      if (node.tag !== SET) return { members: this.#membersOf(node) };
      return { elements: node.items.map(({ key }) => this.#valueOf(key as Node)) };
    }
    if (!isSeq(node)) return undefined;
    this.#refuseUnknownTag(node);
    if (node.tag === ORDERED_MAP) return { members: this.#orderedMembers(node) };
    return { elements: node.items.map((item) => this.#valueOf(item as Node)) };
  }

  #orderedMembers({ items }: YAMLSeq): readonly Member[] {
    const pairs = items.flatMap((item) => {
      const map = this.#target(item as Node);
      if (isMap(map) && map.items.length === 1) return map.items as Pair<Node, Node | null>[];
      throw this.unreadable(map, 'an !!omap is a list of pairs: - key: value');
    });
    return [...this.#collect(pairs).values()];
  }

  /** Merged keys are at the position of the merge; the own keys of a map override merged ones. */
  #membersOf(map: YAMLMap): readonly Member[] {
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
    const name = this.#target(key);
    const given = value ? this.#valueOf(value) : { node: null, offset: key.range?.[1] ?? 0 };
    return { ...given, key: isScalar(name) ? keyText(this.scalar(name)) : `[${this.#text(name)}]` };
  }

  /** A list or map within a key, as Java prints it: `[a, b]`, `{a=1}`. */
  #text(node: Node | null, depth = 0): string {
    if (node === null) return '';
    if (depth > MAX_NESTING) throw this.unreadable(node, 'is nested too deeply');
    const { members, elements } = this.contentsOf(node) ?? {};
    const text = (members ?? elements) ? '' : scalarText(this.scalar(node) ?? '');
    this.budget.spend(node.range?.[0] ?? 0, ENTRY_SIZE + text.length);
    const inner = (value: NodeValue): string => this.#text(value.node, depth + 1);
    if (elements) return `[${elements.map(inner).join(', ')}]`;
    if (members === undefined) return text;
    return `{${members.map((member) => `${member.key}=${inner(member)}`).join(', ')}}`;
  }

  #merged({ key, value }: Pair<Node, Node | null>): Member[] {
    const given = value && this.#target(value);
    const maps = isSeq(given) ? given.items.map((item) => this.#target(item as Node)) : [given];
    return maps.flatMap((map) => {
      if (!isMap(map)) throw this.unreadable(key, 'a << merges what holds no keys');
      const members = this.#membersOf(map);
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
    const known = isSeq(collection) ? LIST_TAGS : MAP_TAGS;
    if (collection.tag !== undefined && !known.has(collection.tag)) {
      throw this.unreadable(collection, UNKNOWN_TAG);
    }
  }
}

/** A key in its flat form: in brackets if it is no text. */
export function keyText(name: Scalar | null): string {
  return typeof name === 'string' ? name : `[${name === null ? 'null' : scalarText(name)}]`;
}

function isMergeKey(node: Node): boolean {
  if (!isScalar(node) || node.value !== '<<') return false;
  return node.tag === MERGE || (node.type === 'PLAIN' && node.tag === undefined);
}
