// Makes a text from somewhere else harmless for a terminal.

/** Control characters, and those that reorder or hide what stands around them. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu;

/** The text in one line, with `\u{1b}` for the character of that number. */
export function escapeForTerminal(text: string): string {
  return text.replace(
    UNPRINTABLE,
    (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  );
}

/** The same for a text of several lines, which stay lines. */
export function escapeLinesForTerminal(text: string): string {
  return text.split('\n').map(escapeForTerminal).join('\n');
}

/** JSON that stays the same JSON, with `\u001b` for each such character. Line ends stand between values alone. */
export function escapeJsonForTerminal(json: string): string {
  return json.replace(UNPRINTABLE, (character) => {
    if (character === '\n') return character;
    const units = Array.from({ length: character.length }, (_, at) => character.charCodeAt(at));
    return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('');
  });
}

/** A value as JSON in several lines, for programs and for people. */
export function indentedJson(value: object): string {
  return escapeJsonForTerminal(JSON.stringify(value, undefined, 2));
}
