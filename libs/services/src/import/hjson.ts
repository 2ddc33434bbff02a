// Reads Hjson, in which Apereo CAS saves service files: JSON with remarks, where commas and most quotes may be missing.
// Unlike JSON.parse, it refuses duplicate names and keeps large integers.

export type HjsonValue =
  null | boolean | number | bigint | string | readonly HjsonValue[] | HjsonObject;

/** A Map, so that a name such as `__proto__` has no special meaning. */
export type HjsonObject = ReadonlyMap<string, HjsonValue>;

/** The message names the line. */
export class HjsonError extends Error {
  override readonly name = 'HjsonError';
}

const MAX_DEPTH = 50;

/** White space, and remarks of three kinds. */
const BLANK = /(?:\s+|\/\/[^\n]*|#[^\n]*|\/\*[^]*?\*\/)*/y;
const QUOTED = /"[^"\\\n\r]*(?:\\.[^"\\\n\r]*)*"|'[^'\\\n\r]*(?:\\.[^'\\\n\r]*)*'/y;
const ESCAPE = /\\(?:u[0-9A-Fa-f]{4}|[^])/g;
const ESCAPED: Readonly<Record<string, string>> = {
  '"': '"',
  "'": "'",
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
};
/** A number or a word. One that more text follows on its line is the start of a text. */
const WORD =
  /(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)(?=[^\S\n\r]*(?:$|[\n\r,}\]#]|\/[/*]))/y;
const WORDS = new Map<string, HjsonValue>([
  ['true', true],
  ['false', false],
  ['null', null],
]);
/** A text without quotes runs to the end of its line. */
const PLAIN = /[^\s,:[\]{}][^\n\r]*/y;
const NAME = /[^\s,:[\]{}"'][^\s,:[\]{}]*/y;
const MULTILINE = "'''";

/**
 * Parses one value. The braces around all members may be missing.
 *
 * @returns objects as Maps; integers beyond the safe range of a number as bigint
 * @throws {HjsonError} with the line
 */
export function parseHjson(text: string): HjsonValue {
  return new Reader(text).all();
}

class Reader {
  private at = 0;

  constructor(private readonly text: string) {
    this.skipBlank();
  }

  all(): HjsonValue {
    const value = this.isName() ? this.members('') : this.value(0);
    if (this.at < this.text.length) throw this.error('continues after its end');
    return value;
  }

  private value(depth: number): HjsonValue {
    if (depth > MAX_DEPTH) throw this.error('is nested too deeply');
    if (this.take('{')) return this.members('}', depth);
    if (this.take('[')) return this.array(depth);
    const text = this.multiline() ?? this.quoted();
    if (text !== undefined) return text;
    const word = this.match(WORD);
    if (word !== undefined) return WORDS.has(word) ? (WORDS.get(word) ?? null) : numberOf(word);
    const plain = this.match(PLAIN);
    if (plain !== undefined) return plain.trimEnd();
    const next = this.text.charAt(this.at);
    const hint = next === '' ? '' : `: a text that begins with ${next} needs quotes`;
    throw this.error(`has no value where one is needed${hint}`);
  }

  /** Up to the closing brace, or to the end of the text. */
  private members(close: '}' | '', depth = 0): HjsonObject {
    const members = new Map<string, HjsonValue>();
    while (!this.takeEnd(close)) {
      const name = this.quoted() ?? this.match(NAME);
      if (name === undefined) throw this.error('has no name where one is needed');
      const shown = JSON.stringify(name);
      if (members.has(name)) throw this.error(`gives ${shown} twice`);
      if (!this.take(':')) throw this.error(`has no colon after ${shown}`);
      members.set(name, this.value(depth + 1));
      this.take(',');
    }
    return members;
  }

  private array(depth: number): readonly HjsonValue[] {
    const entries: HjsonValue[] = [];
    while (!this.takeEnd(']')) {
      entries.push(this.value(depth + 1));
      this.take(',');
    }
    return entries;
  }

  private takeEnd(close: string): boolean {
    if (this.at < this.text.length) return close !== '' && this.take(close);
    if (close === '') return true;
    throw this.error(`ends where ${close} is needed`);
  }

  /** Whether the name of a member follows, with its colon. Takes nothing. */
  private isName(): boolean {
    const { at } = this;
    const isName = (this.match(QUOTED) ?? this.match(NAME)) !== undefined && this.take(':');
    this.at = at;
    return isName;
  }

  /** The text between `'''`, without the indentation of its first line and without escapes. */
  private multiline(): string | undefined {
    if (!this.text.startsWith(MULTILINE, this.at)) return undefined;
    const start = this.at + MULTILINE.length;
    const end = this.text.indexOf(MULTILINE, start);
    if (end < 0) throw this.error(`has ${MULTILINE} without an end`);
    const [first = '', ...lines] = this.text.slice(start, end).replaceAll('\r', '').split('\n');
    // Looked up for a text of several lines alone: thousands of others may stand on one long line.
    const indentation = lines.length === 0 ? 0 : this.column() - 1;
    const unindented = lines.map((line) => {
      const blanks = line.length - line.trimStart().length;
      return line.slice(Math.min(indentation, blanks));
    });
    this.at = end + MULTILINE.length;
    this.skipBlank();
    const begin = first.trimStart();
    return [...(begin === '' ? [] : [begin]), ...unindented].join('\n').replace(/\n$/, '');
  }

  private quoted(): string | undefined {
    const start = this.at + 1;
    const quoted = this.match(QUOTED);
    if (quoted === undefined) {
      if (!/["']/.test(this.text.charAt(this.at))) return undefined;
      throw this.error('has a text in quotes that does not end there');
    }
    return quoted.slice(1, -1).replace(ESCAPE, (escape, offset: number) => {
      if (escape.length > 2) return String.fromCharCode(Number.parseInt(escape.slice(2), 16));
      return ESCAPED[escape.charAt(1)] ?? this.refuseEscape(escape, start + offset);
    });
  }

  private refuseEscape(escape: string, at: number): never {
    this.at = at;
    const isUnicode = escape === '\\u';
    throw new HjsonError(
      `line ${this.line()}, column ${this.column()}: ${escape} is no escape` +
        `${isUnicode ? ' without four hexadecimal digits' : ''}; write \\${escape}`,
    );
  }

  private take(character: string): boolean {
    if (this.text.charAt(this.at) !== character) return false;
    this.at += 1;
    this.skipBlank();
    return true;
  }

  private match(token: RegExp): string | undefined {
    token.lastIndex = this.at;
    const [found] = token.exec(this.text) ?? [];
    if (found === undefined) return undefined;
    this.at += found.length;
    this.skipBlank();
    return found;
  }

  private skipBlank(): void {
    BLANK.lastIndex = this.at;
    BLANK.exec(this.text);
    this.at = BLANK.lastIndex;
    if (this.text.startsWith('/*', this.at)) throw this.error('has a remark that does not end');
  }

  private line(): number {
    return this.text.slice(0, this.at).split('\n').length;
  }

  private column(): number {
    return this.at - this.text.lastIndexOf('\n', this.at - 1);
  }

  private error(what: string): HjsonError {
    return new HjsonError(`line ${this.line()} ${what}`);
  }
}

function numberOf(text: string): number | bigint {
  const number = Number(text);
  return Number.isSafeInteger(number) || !/^-?\d+$/.test(text) ? number : BigInt(text);
}
