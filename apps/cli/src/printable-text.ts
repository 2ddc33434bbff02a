// Makes a text from somewhere else harmless for a terminal.

/** Control characters, and those that reorder or hide what stands around them. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu;

/** The text in one line, with `\u{1b}` for the character of that number. */
export function printable(text: string): string {
  return text.replace(
    UNPRINTABLE,
    (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  );
}
