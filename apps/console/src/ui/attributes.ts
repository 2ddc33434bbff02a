// Attributes as text: one `name = value` a line.

/** Texts that stand as they are. Others are in double quotes, as in JSON: a line end in a value would begin an attribute. */
const PLAIN_NAME = /^[^\s"=](?:[^\r\n=]*[^\s=])?$/;
const PLAIN_VALUE = /^[^\s"](?:[^\r\n]*\S)?$/;
const LINE = /^\s*("(?:[^"\\]|\\.)*"|[^=]*?)\s*=\s*([^]*?)\s*$/;

export function writeAttributes(attributes: Readonly<Record<string, readonly string[]>>): string {
  return Object.entries(attributes)
    .flatMap(([name, values]) =>
      values.map((value) => `${quote(name, PLAIN_NAME)} = ${quote(value, PLAIN_VALUE)}`),
    )
    .join('\n');
}

/** A line that is not `name = value` has the empty name, which the server refuses, so that no line is dropped. */
export function readAttributes(text: string): Record<string, string[]> {
  const attributes = new Map<string, string[]>();
  for (const line of text.split('\n')) {
    if (line.trim() === '') continue;
    const [, given = '', written = ''] = LINE.exec(line) ?? [];
    const isComplete = given !== '' && written !== '';
    const [name, value] = isComplete ? [unquote(given), unquote(written)] : ['', line.trim()];
    attributes.set(name, [...(attributes.get(name) ?? []), value]);
  }
  return Object.fromEntries(attributes);
}

function quote(text: string, plain: RegExp): string {
  return plain.test(text) ? text : JSON.stringify(text);
}

/** A text whose quotes are not finished is taken as it is. */
function unquote(text: string): string {
  if (!text.startsWith('"')) return text;
  try {
    return JSON.parse(text) as string;
  } catch {
    return text;
  }
}

/** Lists that may be changed. */
export function copyOf(
  lists: Readonly<Record<string, readonly string[]>>,
): Record<string, string[]> {
  return Object.fromEntries(Object.entries(lists).map(([name, values]) => [name, [...values]]));
}

type Lists = Readonly<Record<string, readonly string[]>>;

/** All attributes, and an empty list for each that is gone. */
export function replacing(before: Lists, after: Lists): Record<string, string[]> {
  const gone = Object.keys(before).map((name): [string, string[]] => [name, []]);
  const kept = Object.entries(after).map(([name, values]): [string, string[]] => [
    name,
    [...values],
  ]);
  return Object.fromEntries([...gone, ...kept]);
}
