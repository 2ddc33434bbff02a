// Owns which of several media types a caller wants. @see RFC 9110 §12.5.1
const MOST_RANGES = 100;

interface Range {
  readonly type: string;
  readonly quality: number;
}

/**
 * The offer that the header likes best, the earlier one of equals; undefined where it likes none.
 * @param accept the header; everything is liked where it is absent
 */
export function preferredMediaType<T extends string>(
  accept: string | undefined,
  offers: readonly [T, ...(readonly T[])],
): T | undefined {
  if (accept === undefined || accept === '*/*' || accept === offers[0]) return offers[0];
  const ranges = accept.split(',', MOST_RANGES).map(rangeOf);
  let best: { readonly offer: T; readonly quality: number } | undefined;
  for (const offer of offers) {
    const quality = qualityOf(offer, ranges);
    if (quality > (best?.quality ?? 0)) best = { offer, quality };
  }
  return best?.offer;
}

function rangeOf(text: string): Range {
  const [type = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase());
  const weight = parameters.find((parameter) => parameter.startsWith('q='));
  const quality = weight === undefined ? 1 : Number(weight.slice(2));
  return { type, quality: Number.isNaN(quality) ? 0 : quality };
}

/** The most exact range decides. */
function qualityOf(offer: string, ranges: readonly Range[]): number {
  const family = `${offer.slice(0, offer.indexOf('/'))}/*`;
  for (const form of [offer, family, '*/*']) {
    const range = ranges.find(({ type }) => type === form);
    if (range !== undefined) return range.quality;
  }
  return 0;
}
