// The template language of computed attributes: `{givenName} {sn}`, `{mail|before:@|lower}`. @see docs/users.md
import type { Attributes } from '@tessera/services';
import { TEMPLATE_FUNCTIONS, type Step } from './template-functions.js';

const MAX_TEMPLATE_LENGTH = 1_000;
const MAX_VALUES = 1_000;
const MAX_VALUE_LENGTH = 4_096;

/** The characters that need a backslash in front. */
const SPECIAL = '{}|:\\';

interface Expression {
  readonly name: string;
  readonly steps: readonly Step[];
}

/** A template that cannot be read. The message continues the name of the attribute; `rule` quotes nothing of the template. */
export class TemplateError extends Error {
  /** @param column of the first character that is wrong; the first of all is 1 */
  constructor(
    readonly column: number,
    readonly rule: string,
    reason = rule,
  ) {
    super(`${reason} at column ${column}`);
  }
}

export class AttributeTemplate {
  private constructor(private readonly parts: readonly (string | Expression)[]) {}

  /** @throws TemplateError */
  static parse(text: string): AttributeTemplate {
    return new AttributeTemplate(new Parser(text).parts());
  }

  /**
   * The values of the computed attribute; none if an expression has none. If expressions have several values, the first of
   * these gives one result for each, and the others their first value.
   */
  valuesOf(attributes: Attributes): readonly string[] {
    const all = this.parts.map((part) =>
      typeof part === 'string' ? [part] : run(part, attributes),
    );
    if (all.length === 0 || all.some(({ length }) => length === 0)) return [];
    const several = all.find(({ length }) => length > 1) ?? [''];
    const results = several
      .slice(0, MAX_VALUES)
      .map((value) =>
        joined(all.map((values) => (values === several ? value : (values[0] ?? '')))),
      );
    return [...new Set(results.filter((value) => value !== undefined))];
  }
}

function run({ name, steps }: Expression, attributes: Attributes): readonly string[] {
  const values = (Object.hasOwn(attributes, name) && attributes[name]) || [];
  return steps.reduce((before, step) => step(before), values);
}

/** Undefined for a value that is too long. */
function joined(parts: readonly string[]): string | undefined {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  return length > MAX_VALUE_LENGTH ? undefined : parts.join('');
}

class Parser {
  private position = 0;

  /** @throws TemplateError for a text that is too long, or has control characters */
  constructor(private readonly text: string) {
    const control = text.search(/\p{Cc}|\p{Cs}/u);
    if (control >= 0) throw new TemplateError(control + 1, 'has a control character');
    if (text.length > MAX_TEMPLATE_LENGTH) {
      throw new TemplateError(MAX_TEMPLATE_LENGTH + 1, `is longer than ${MAX_TEMPLATE_LENGTH}`);
    }
  }

  parts(): readonly (string | Expression)[] {
    const parts: (string | Expression)[] = [];
    while (this.position < this.text.length) {
      if (this.skip('{')) parts.push(this.expression());
      else if (this.next === '}') throw this.error(String.raw`has } without {, not \}`);
      else parts.push(this.read('{}'));
    }
    if (parts.length === 0) throw this.error('is empty');
    return parts;
  }

  private expression(): Expression {
    const name = this.read('{}|');
    if (name === '') throw this.error('has no name of an attribute');
    const steps: Step[] = [];
    while (this.skip('|')) steps.push(this.step());
    if (!this.skip('}')) throw this.error('has { without }');
    return { name, steps };
  }

  private step(): Step {
    const start = this.position;
    const word = this.read('{}|:');
    const made = TEMPLATE_FUNCTIONS.get(word);
    if (made === undefined) {
      this.position = start;
      const rule = `has an unknown function; there are ${[...TEMPLATE_FUNCTIONS.keys()].join(', ')}`;
      throw this.error(rule, `has the unknown function ${JSON.stringify(word)}`);
    }
    const argument = this.skip(':') ? this.read('{}|') : undefined;
    const { takes } = made;
    if (takes === 'nothing' ? argument !== undefined : (argument ?? '') === '') {
      this.position = start;
      throw this.error(
        takes === 'nothing' ? `has ${word} with a text` : `has ${word} without a text`,
      );
    }
    return made.step(argument ?? '');
  }

  /** The text up to one of the characters, or to the end; `\` takes the meaning of a special character. */
  private read(stops: string): string {
    let read = '';
    while (this.position < this.text.length && !stops.includes(this.next)) {
      if (this.skip('\\') && !(this.next !== '' && SPECIAL.includes(this.next))) {
        throw this.error(String.raw`has \ before none of ${SPECIAL}`);
      }
      read += this.next;
      this.position += 1;
    }
    return read;
  }

  private get next(): string {
    return this.text.charAt(this.position);
  }

  private skip(character: string): boolean {
    if (this.next !== character) return false;
    this.position += 1;
    return true;
  }

  private error(rule: string, reason = rule): TemplateError {
    return new TemplateError(this.position + 1, rule, reason);
  }
}
