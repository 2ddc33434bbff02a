// Attributes as text: one `name = value` a line.

export function writeAttributes(attributes: Readonly<Record<string, readonly string[]>>): string {
  return Object.entries(attributes)
    .flatMap(([name, values]) => values.map((value) => `${name} = ${value}`))
    .join('\n');
}

/** Lines without a name are left out. */
export function readAttributes(text: string): Record<string, string[]> {
  const attributes = new Map<string, string[]>();
  for (const line of text.split('\n')) {
    const [name = '', ...rest] = line.split('=');
    const value = rest.join('=').trim();
    if (name.trim() === '' || value === '') continue;
    attributes.set(name.trim(), [...(attributes.get(name.trim()) ?? []), value]);
  }
  return Object.fromEntries(attributes);
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
