// Owns turning flat keys into maps and lists, for the forms that nest.
import type { FlatProperties, FlatValue } from './flat-properties.js';

export type TreeMap = Map<string, TreeNode>;
/** A place that no key names is undefined. */
export type TreeList = (TreeNode | undefined)[];
export type TreeNode = FlatValue | TreeMap | TreeList;

/** One name or index of a key, and where in the key it stands. */
interface Step {
  readonly at: string | number;
  readonly start: number;
  readonly end: number;
}

/** Deeper keys stay flat: nobody writes them, and every level costs each of its lines an indent. */
const DEEPEST = 64;
/** Places of lists that no key names and that are kept all the same, above as many as there are keys. */
const SPARE_PLACES = 1_000;
/** A name, and the indexes behind it. Brackets that hold no number belong to the name. */
const SEGMENT = /^(?<name>(?:[^[]|\[(?!\d+\]))+)(?<indexes>(?:\[\d+\])*)$/;

/**
 * Every key has its place. One that cannot be nested stays flat as far as need be: where a part of it is the key of a
 * value itself (`secret` and `secret.props`), where map and list meet, and where it does not read as a path.
 */
export function treeOf(properties: FlatProperties): TreeMap {
  return new TreeBuilder(properties).build();
}

class TreeBuilder {
  private sparePlaces: number;

  constructor(private readonly properties: FlatProperties) {
    this.sparePlaces = properties.size + SPARE_PLACES;
  }

  build(): TreeMap {
    const root: TreeMap = new Map();
    for (const [key, value] of this.properties) this.place(root, key, value);
    return root;
  }

  private place(root: TreeMap, key: string, value: FlatValue): void {
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

  /** The map or list at a place, made where there is none; undefined where something else is there. */
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
    if (gap > this.sparePlaces) return undefined;
    this.sparePlaces -= gap;
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
  for (const segment of key.split('.', DEEPEST + 1)) {
    const { name, indexes } = SEGMENT.exec(segment)?.groups ?? {};
    if (name === undefined) return whole(key);
    steps.push({ at: name, start, end: start + name.length });
    for (const { 1: digits, index } of (indexes ?? '').matchAll(/\[(\d+)\]/g)) {
      const from = start + name.length + index;
      steps.push({ at: Number(digits), start: from, end: from + (digits ?? '').length + 2 });
    }
    start += segment.length + 1;
  }
  return steps.length > DEEPEST ? whole(key) : steps;
}

function whole(key: string): readonly Step[] {
  return [{ at: key, start: 0, end: key.length }];
}
