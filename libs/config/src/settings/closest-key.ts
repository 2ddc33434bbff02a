/** The canonical spelling of a key: `sso.baseUrl` and `SSO.base_url` → `sso.base-url`. */
export function normaliseKey(key: string): string {
  return key
    .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
    .replaceAll('_', '-')
    .toLowerCase();
}

/** The known key with the least edit distance to `key`; undefined if none is close. */
export function closestKey(key: string, known: Iterable<string>): string | undefined {
  const wanted = normaliseKey(key);
  let closest: string | undefined;
  let least = Math.max(2, Math.floor(wanted.length / 4)) + 1;
  for (const candidate of known) {
    const normalised = normaliseKey(candidate);
    if (Math.abs(normalised.length - wanted.length) >= least) continue;
    const distance = editDistance(wanted, normalised);
    if (distance < least) [closest, least] = [candidate, distance];
  }
  return closest;
}

/** The Damerau-Levenshtein distance: insertions, deletions, replacements and swaps of neighbours. */
export function editDistance(from: string, to: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let row = 1; row <= from.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= to.length; column += 1) {
      const same = from[row - 1] === to[column - 1];
      const swapped = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      current[column] = Math.min(
        at(last, column) + 1,
        at(current, column - 1) + 1,
        at(last, column - 1) + (same ? 0 : 1),
        swapped && row > 1 && column > 1 ? at(beforeLast, column - 2) + 1 : Infinity,
      );
    }
    [beforeLast, last] = [last, current];
  }
  return at(last, to.length);
}

function at(row: readonly number[], column: number): number {
  return row[column] ?? Infinity;
}
