/** In the same order, but those that are unavailable come last, in case all others fail, too. */
export function availableFirst<T extends { readonly isUnavailable?: boolean }>(
  all: readonly T[],
): readonly T[] {
  return all.toSorted((one, other) => rank(one) - rank(other));
}

function rank({ isUnavailable = false }: { readonly isUnavailable?: boolean }): number {
  return isUnavailable ? 1 : 0;
}
