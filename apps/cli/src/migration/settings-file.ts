// The text of `sso.yml`: nested keys, with the old key above a value that had another name.
import { isMap, type NewSetting, type SettingValue } from './settings-draft.js';

/** Plain in YAML, whatever follows; other texts are in quotes. */
const PLAIN = /^(?!null$)[A-Za-z0-9/](?:[\w./@=:+-]*[\w./@=+-])?$/i;
const INDENT = '  ';

interface Branch {
  readonly children: Map<string, Branch>;
  setting?: NewSetting;
}

/** @param title the first line, a comment */
export function settingsText(settings: readonly NewSetting[], title: string): string {
  const root: Branch = { children: new Map() };
  const sorted = settings.toSorted((one, other) => (one.key < other.key ? -1 : 1));
  for (const setting of sorted) branchOf(root, setting.key).setting = setting;
  const lines = [...root.children].flatMap(([name, branch]) => linesOf(name, branch));
  return [`# ${title}`, ...lines, ''].join('\n');
}

function branchOf(root: Branch, key: string): Branch {
  let branch = root;
  for (const name of key.split('.')) {
    const next = branch.children.get(name) ?? { children: new Map<string, Branch>() };
    branch.children.set(name, next);
    branch = next;
  }
  return branch;
}

/** A branch with one child is on its line: `tickets.tgt`. */
function linesOf(name: string, branch: Branch): readonly string[] {
  const { setting, children } = branch;
  if (setting) {
    // A line end in an old key would end the comment.
    const from = setting.from.join(', ').replaceAll(/[\p{Cc}\u2028\u2029]/gu, ' ');
    const comments = from === '' ? [] : [`# ${from}`];
    return [...comments, ...valueLines(name, setting.value)];
  }
  const [only, ...others] = children;
  if (only !== undefined && others.length === 0) return linesOf(`${name}.${only[0]}`, only[1]);
  const below = [...children].flatMap(([child, each]) => linesOf(child, each));
  return [`${name}:`, ...below.map((line) => INDENT + line)];
}

function valueLines(name: string, value: SettingValue): readonly string[] {
  if (typeof value === 'string') return [`${name}: ${scalar(value)}`];
  if (!isMap(value)) {
    return value.length === 0
      ? [`${name}: []`]
      : [`${name}:`, ...value.map((each) => `${INDENT}- ${scalar(each)}`)];
  }
  const members = Object.entries(value).flatMap(([key, each]) => valueLines(scalar(key), each));
  return members.length === 0
    ? [`${name}: {}`]
    : [`${name}:`, ...members.map((line) => INDENT + line)];
}

function scalar(text: string): string {
  return PLAIN.test(text) ? text : JSON.stringify(text);
}
