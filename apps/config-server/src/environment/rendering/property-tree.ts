// Turns flat keys into nested maps and lists.
import type { FlatProperties, FlatValue } from './flat-properties.js';

export type TreeMap = Map<string, TreeNode>;
/** An index without a key is undefined. */
export type TreeList = (TreeNode | undefined)[];
export type TreeNode = FlatValue | TreeMap | TreeList;

/** One name or index of a key, with its position in the key. */
interface Step {
  readonly at: string | number;
  readonly start: number;
  readonly end: number;
}

/** Deeper keys stay flat: each level adds an indent to all its lines. */
const MAX_DEPTH = 64;
/** The maximum of undefined elements in all lists, besides one for each key. */
const MAX_GAPS = 1_000;
/** A name with its indexes. Brackets without a number belong to the name. */
const SEGMENT = /^(?<name>(?:[^[]|\[(?!\d+\]))+)(?<indexes>(?:\[\d+\])*)$/;

/**
 * Includes every key. A key that cannot be nested stays flat from the part in conflict: its prefix is the key of a value
 * (`secret` and `secret.props`), a map and a list conflict, or it is not a path.
 */
export function treeOf(properties: FlatProperties): TreeMap {
  return new TreeBuilder(properties).build();
}

class TreeBuilder {
  private remainingGaps: number;

  constructor(private readonly properties: FlatProperties) {
    this.remainingGaps = properties.size + MAX_GAPS;
  }

  build(): TreeMap {
    const root: TreeMap = new Map();
    for (const [key, value] of this.properties) this.insert(root, key, value);
    return root;
  }

  private insert(root: TreeMap, key: string, value: FlatValue): void {
    const steps = stepsOf(key);
    let node: TreeMap | TreeList = root;
    let map = root;
    let start = 0;
    for (const [index, step] of steps.entries()) {
      if (node instanceof Map) [map, start] = [node, step.start];
      const next = steps[index + 1];
      if (next === undefined) {
        setChild(node, step.at, value);
        return;
      }
      const isValue = this.properties.has(key.slice(0, step.end));
      const child: TreeMap | TreeList | undefined = isValue
        ? undefined
        : this.descend(node, step.at, next.at);
      if (child === undefined) break;
      node = child;
    }
    map.set(key.slice(start), value);
  }

  /** The map or list at a position, created if absent; undefined if another kind of node is there. */
  private descend(
    node: TreeMap | TreeList,
    at: string | number,
    next: string | number,
  ): TreeMap | TreeList | undefined {
    const found = childOf(node, at);
    if (typeof next === 'string') {
      if (found === undefined) return setChild(node, at, new Map<string, TreeNode>());
      return found instanceof Map ? found : undefined;
    }
    if (found !== undefined && !Array.isArray(found)) return undefined;
    const gap = Math.max(next - (found?.length ?? 0), 0);
    if (gap > this.remainingGaps) return undefined;
    this.remainingGaps -= gap;
    return found ?? setChild(node, at, []);
  }
}

function childOf(node: TreeMap | TreeList, at: string | number): TreeNode | undefined {
  return node instanceof Map ? node.get(String(at)) : node[Number(at)];
}

function setChild<N extends TreeNode>(node: TreeMap | TreeList, at: string | number, child: N): N {
  if (node instanceof Map) {
    node.set(String(at), child);
  } else {
    while (node.length < Number(at)) node.push(undefined);
    node[Number(at)] = child;
  }
  return child;
}

function stepsOf(key: string): readonly Step[] {
  const steps: Step[] = [];
  let start = 0;
  for (const segment of key.split('.', MAX_DEPTH + 1)) {
    const { name, indexes } = SEGMENT.exec(segment)?.groups ?? {};
    if (name === undefined) return flatStep(key);
    steps.push({ at: name, start, end: start + name.length });
    for (const { 1: digits, index } of (indexes ?? '').matchAll(/\[(\d+)\]/g)) {
      const from = start + name.length + index;
      steps.push({ at: Number(digits), start: from, end: from + (digits ?? '').length + 2 });
    }
    start += segment.length + 1;
  }
  return steps.length > MAX_DEPTH ? flatStep(key) : steps;
}

function flatStep(key: string): readonly Step[] {
  return [{ at: key, start: 0, end: key.length }];
}
