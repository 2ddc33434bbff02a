// Parses JSON with comments and trailing commas. Unlike JSON.parse, it refuses duplicate keys and keeps large integers.

export type RelaxedJson =
  null | boolean | number | bigint | string | readonly RelaxedJson[] | RelaxedObject;

/** A Map, so that a key such as `__proto__` has no special meaning. */
export type RelaxedObject = ReadonlyMap<string, RelaxedJson>;

/** The message names the line. */
export class RelaxedJsonError extends Error {
  override readonly name = 'RelaxedJsonError';
}

const MAX_DEPTH = 50;

/** White space, and comments of three kinds. */
const BLANK = /(?:\s+|\/\/[^\n]*|#[^\n]*|\/\*[^]*?\*\/)*/y;
const STRING = /"(?:(?![^ -\uffff])[^"\\]|\\(?:["\\/bfnrt]|u[0-9A-Fa-f]{4}))*"/y;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const WORD = /true|false|null/y;
const WORDS: Readonly<Record<string, RelaxedJson>> = { true: true, false: false, null: null };

/**
 * Parses one value.
 *
 * @returns objects as Maps; integers beyond the safe range of a number as bigint
 * @throws {RelaxedJsonError} with the line
 */
export function parseRelaxedJson(text: string): RelaxedJson {
  const reader = new Reader(text);
  const value = reader.value(0);
  reader.end();
  return value;
}

class Reader {
  private at = 0;

  constructor(private readonly text: string) {
    this.skipBlank();
  }

  value(depth: number): RelaxedJson {
    if (depth > MAX_DEPTH) throw this.error('is nested too deeply');
    if (this.take('{')) return this.object(depth);
    if (this.take('[')) return this.array(depth);
    const string = this.match(STRING);
    if (string !== undefined) return JSON.parse(string) as string;
    const number = this.match(NUMBER);
    if (number !== undefined) return numberOf(number);
    const word = this.match(WORD);
    if (word !== undefined) return WORDS[word] ?? null;
    throw this.error('has no value where one is needed');
  }

  end(): void {
    if (this.at < this.text.length) throw this.error('continues after its end');
  }

  private object(depth: number): RelaxedObject {
    const members = new Map<string, RelaxedJson>();
    while (!this.take('}')) {
      const key = this.match(STRING);
      if (key === undefined) throw this.error('has no name in double quotes where one is needed');
      const name = JSON.parse(key) as string;
      if (members.has(name)) throw this.error(`gives ${key} twice`);
      if (!this.take(':')) throw this.error(`has no colon after ${key}`);
      members.set(name, this.value(depth + 1));
      this.takeComma('}');
    }
    return members;
  }

  private array(depth: number): readonly RelaxedJson[] {
    const entries: RelaxedJson[] = [];
    while (!this.take(']')) {
      entries.push(this.value(depth + 1));
      this.takeComma(']');
    }
    return entries;
  }

  private takeComma(close: string): void {
    if (this.take(',') || this.text.charAt(this.at) === close) return;
    throw this.error(`has neither a comma nor ${close} where one is needed`);
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
  }

  private error(what: string): RelaxedJsonError {
    const line = this.text.slice(0, this.at).split('\n').length;
    return new RelaxedJsonError(`line ${line} ${what}`);
  }
}

function numberOf(text: string): number | bigint {
  const number = Number(text);
  return Number.isSafeInteger(number) || !/^-?\d+$/.test(text) ? number : BigInt(text);
}
