// Owns the flattened form `.json`: one document, nested where keys allow it.
import type { FlatProperties } from './flat-properties.js';
import { scalarJson } from './environment-json.js';
import { treeOf, type TreeNode } from './property-tree.js';

export function flattenedJson(properties: FlatProperties): string {
  return nodeJson(treeOf(properties));
}

function nodeJson(node: TreeNode | undefined): string {
  if (node === undefined) return 'null';
  if (Array.isArray(node)) return `[${node.map(nodeJson).join(',')}]`;
  if (!(node instanceof Map)) return scalarJson(node.value);
  const members = Array.from(node, ([key, child]) => `${JSON.stringify(key)}:${nodeJson(child)}`);
  return `{${members.join(',')}}`;
}
