// XML 1.0: the envelope of all answers, and escaping, so that any text gives a well-formed document.

// oxlint-disable-next-line no-control-regex -- XML 1.0 cannot hold them, so they are what it looks for
const FORBIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/gu;
const MARKUP = /[&<>\r]/g;
/** Text that needs no escaping; most text. */
const PLAIN = /^[\n\t !-%'-;=?-~]*$/;
const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  // Parsers convert a bare carriage return to a line feed.
  '\r': '&#13;',
};
/** NameStartChar and NameChar without the colon, which belongs to the prefix. @see XML 1.0 §2.3 */
const NAME_START =
  'A-Z_a-z\\u{C0}-\\u{D6}\\u{D8}-\\u{F6}\\u{F8}-\\u{2FF}\\u{370}-\\u{37D}\\u{37F}-\\u{1FFF}\\u{200C}\\u{200D}' +
  '\\u{2070}-\\u{218F}\\u{2C00}-\\u{2FEF}\\u{3001}-\\u{D7FF}\\u{F900}-\\u{FDCF}\\u{FDF0}-\\u{FFFD}\\u{10000}-\\u{EFFFF}';
const PLAIN_NAME = /^[A-Za-z_][A-Za-z0-9_.-]*$/;
const LOCAL_NAME = new RegExp(
  `^[${NAME_START}][${NAME_START}\\-.0-9\\u{B7}\\u{300}-\\u{36F}\\u{203F}\\u{2040}]*$`,
  'u',
);

/** An answer around its content, by plain concatenation for speed. */
export function envelope(content: string): string {
  return `<cas:serviceResponse xmlns:cas='http://www.yale.edu/tp/cas'>\n${content}</cas:serviceResponse>\n`;
}

/** Escapes text for the content of an element; characters that XML forbids are removed. */
export function escapeText(text: string): string {
  if (PLAIN.test(text)) return text;
  return text.replace(FORBIDDEN, '').replace(MARKUP, (character) => ENTITIES[character] ?? '');
}

/** Escapes text for the value of an attribute in double quotes. */
export function escapeAttribute(text: string): string {
  return escapeText(text).replace(/["\t\n]/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** Whether the text can be the local part of an element's name. */
export function isLocalName(text: string): boolean {
  return PLAIN_NAME.test(text) || LOCAL_NAME.test(text);
}
