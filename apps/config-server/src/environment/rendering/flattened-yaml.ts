// Owns the flattened form `.yml`: one document in block style, nested where keys allow it. How a text is written is
// yaml-scalar's affair.
import { textOf, type FlatProperties, type FlatValue } from './flat-properties.js';
import { treeOf, type TreeList, type TreeMap, type TreeNode } from './property-tree.js';
import { keyScalar, valueScalar, type ScalarPlace } from './yaml-scalar-writer.js';

const INDENT = 2;

export function flattenedYaml(properties: FlatProperties): string {
  return properties.size === 0 ? '{}\n' : `${mapLines(treeOf(properties), 0)}\n`;
}

/** Without the indent of the first line, which is written already. */
function mapLines(map: TreeMap, indent: number): string {
  const members = Array.from(map, ([key, child]) => {
    const name = `${keyScalar(key)}:`;
    // A list stands at the indent of its key.
    if (Array.isArray(child)) return `${name}\n${margin(indent)}${listLines(child, indent)}`;
    if (child instanceof Map) {
      return `${name}\n${margin(indent + INDENT)}${mapLines(child, indent + INDENT)}`;
    }
    const column = indent + name.length + 1;
    return `${name} ${valueText(child, { column, indent: indent + INDENT })}`;
  });
  return members.join(`\n${margin(indent)}`);
}

function listLines(list: TreeList, indent: number): string {
  const inner = indent + INDENT;
  const elements = list.map((child) => `- ${elementText(child, inner)}`);
  return elements.join(`\n${margin(indent)}`);
}

function elementText(child: TreeNode | undefined, indent: number): string {
  if (child === undefined) return 'null';
  if (Array.isArray(child)) return listLines(child, indent);
  if (child instanceof Map) return mapLines(child, indent);
  return valueText(child, { column: indent, indent });
}

function valueText({ value, template }: FlatValue, place: ScalarPlace): string {
  return typeof value === 'string' ? valueScalar(value, place, template) : textOf(value);
}

function margin(indent: number): string {
  return ' '.repeat(indent);
}
