// Selects the media type of a response. @see RFC 9110 §12.5.1
const MAX_RANGES = 100;

interface MediaRange {
  readonly type: string;
  readonly quality: number;
}

/**
 * The offer that the header prefers, the first of equals; undefined if it accepts none.
 * @param accept the `Accept` header; if absent, every type is acceptable
 */
export function preferredMediaType<T extends string>(
  accept: string | undefined,
  offers: readonly [T, ...(readonly T[])],
): T | undefined {
  if (accept === undefined || accept === '*/*' || accept === offers[0]) return offers[0];
  const ranges = accept.split(',', MAX_RANGES).map(parseRange);
  let best: { readonly offer: T; readonly quality: number } | undefined;
  for (const offer of offers) {
    const quality = qualityOf(offer, ranges);
    if (quality > (best?.quality ?? 0)) best = { offer, quality };
  }
  return best?.offer;
}

function parseRange(text: string): MediaRange {
  const [type = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase());
  const weight = parameters.find((parameter) => parameter.startsWith('q='));
  const quality = weight === undefined ? 1 : Number(weight.slice(2));
  return { type, quality: Number.isNaN(quality) ? 0 : quality };
}

/** The most specific range has precedence. */
function qualityOf(offer: string, ranges: readonly MediaRange[]): number {
  const family = `${offer.slice(0, offer.indexOf('/'))}/*`;
  for (const form of [offer, family, '*/*']) {
    const range = ranges.find(({ type }) => type === form);
    if (range !== undefined) return range.quality;
  }
  return 0;
}
