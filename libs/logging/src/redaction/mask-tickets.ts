// Owns the masking of ticket ids in text. What ids look like is decided by the ticket library.

const PREFIX = '(TGT|ST|PGTIOU|PGT|PT|LR)';
const HYPHEN = '(?:-|%2D)';

/**
 * An id that stands by itself (also after a percent-encoded character), of any length; or one glued
 * to a word, if it is longer than what follows a hyphen in ordinary words.
 */
const TICKET = new RegExp(
  `(?:(?<![A-Za-z0-9])|(?<=%[0-9A-Fa-f]{2}))${PREFIX}${HYPHEN}([A-Za-z0-9-]+)` +
    `|${PREFIX}${HYPHEN}([A-Za-z0-9-]{16,})`,
  'g',
);

/** Below this length the last four characters would be too much of the id. */
const LONG_ENOUGH_TO_SHOW_AN_END = 12;

/** Replaces every ticket id by its prefix and last four characters: `TGT-…a91f`. */
export function maskTickets(text: string): string {
  return text.replace(
    TICKET,
    (_ticket, ...[prefix, id, gluedPrefix, gluedId]: (string | undefined)[]) =>
      masked(prefix ?? gluedPrefix ?? '', id ?? gluedId ?? ''),
  );
}

function masked(prefix: string, id: string): string {
  return `${prefix}-…${id.length < LONG_ENOUGH_TO_SHOW_AN_END ? '' : id.slice(-4)}`;
}
