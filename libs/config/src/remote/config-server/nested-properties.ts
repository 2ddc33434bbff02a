// Converts flat keys (`a.b`, `c[0]`, `d[x/y]`) back to maps and lists.

type Name = string | number;
type Branch<V> = Map<Name, V | Branch<V>>;

/** A top-level name with the tree below it, or a flat key that does not fit into the tree. */
export interface NestedProperty {
  readonly key: string;
  /** As parsed JSON; objects have no prototype. */
  readonly value: unknown;
}

const KEY = /^[^.[\]]+(?:\.[^.[\]]+|\[[^[\]]*\])*$/;
const NAME = /\[([^[\]]*)\]|[^.[\]]+/g;

const MAX_DEPTH = 50;

/**
 * Names in brackets are elements of a list if they are 0, 1, 2 and so on, and otherwise keys of a map. A key stays flat if it
 * has both a value and keys below it, or if it is malformed.
 */
export function nestedProperties<V extends string | boolean | null>(
  properties: Iterable<readonly [string, V]>,
): NestedProperty[] {
  const root: Branch<V> = new Map();
  const flat: NestedProperty[] = [];
  for (const [key, value] of properties) {
    if (!insert(root, namesOf(key), value)) flat.push({ key, value });
  }
  const nested = Array.from(root, ([name, below]) => ({ key: String(name), value: plain(below) }));
  return [...nested, ...flat];
}

function namesOf(key: string): readonly Name[] {
  if (!KEY.test(key)) return [];
  return Array.from(key.matchAll(NAME), ([whole, inBrackets = whole]) =>
    whole.startsWith('[') && /^(?:0|[1-9]\d{0,5})$/.test(inBrackets)
      ? Number(inBrackets)
      : inBrackets,
  );
}

function insert<V>(root: Branch<V>, names: readonly Name[], value: V): boolean {
  const last = names.at(-1);
  if (last === undefined || names.length > MAX_DEPTH) return false;
  let branch = root;
  for (const name of names.slice(0, -1)) {
    const next = branch.get(name) ?? new Map<Name, V | Branch<V>>();
    if (!(next instanceof Map)) return false;
    branch.set(name, next);
    branch = next;
  }
  if (branch.has(last)) return false;
  branch.set(last, value);
  return true;
}

function plain<V>(node: V | Branch<V> | undefined): unknown {
  if (!(node instanceof Map)) return node;
  const names = Array.from(node.keys());
  if (names.every((name) => typeof name === 'number' && name < names.length)) {
    return names.map((_name, index) => plain(node.get(index)));
  }
  const object = Object.create(null) as Record<Name, unknown>;
  for (const [name, below] of node) object[name] = plain(below);
  return object;
}
