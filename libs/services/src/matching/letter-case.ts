// Upper and lower case as RE2 sees it, for the part of the matching that goes without RE2.

/** Every character that RE2 takes for an ASCII letter of the other case. */
const FOLDED = /[A-Z\u017f\u212a]/g;

/**
 * The text with every character that RE2 would match as an ASCII letter written as that letter in
 * lower case: `A` to `Z`, the long s and the Kelvin sign. Its length stays.
 */
export function foldCase(text: string): string {
  return text.replace(FOLDED, (letter) => (letter === '\u017f' ? 's' : letter.toLowerCase()));
}
