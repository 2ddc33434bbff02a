// The template language: what is refused with its column, what templates give, and properties of all of them.
import { describe, expect, test } from '@jest/globals';
import { array, assert, dictionary, property, string, constantFrom } from 'fast-check';
import { AttributeTemplate, TemplateError } from './attribute-template.js';
import { ComputedAttributes } from './computed-attributes.js';

const ALICE = {
  givenName: ['Alice'],
  sn: ['Liddell'],
  mail: ['Alice@Example.org', 'a@second.org'],
  memberOf: ['cn=staff,ou=groups', 'cn=Admins,ou=groups', 'none'],
  empty: [],
};

const computed = (
  template: string,
  attributes: Readonly<Record<string, readonly string[]>> = ALICE,
) => AttributeTemplate.parse(template).valuesOf(attributes);

function errorOf(template: string): TemplateError {
  try {
    AttributeTemplate.parse(template);
  } catch (error) {
    if (error instanceof TemplateError) return error;
    throw error;
  }
  throw new Error(`${template} was read`);
}

describe('a template is refused with', () => {
  test.each([
    ['nothing', '', 'is empty at column 1'],
    ['no end', 'x{sn', 'has { without } at column 5'],
    ['no end after a function', '{sn|lower', 'has { without } at column 10'],
    ['an expression in another', '{sn{mail}}', 'has { without } at column 4'],
    ['no start', 'a}b', String.raw`has } without {, not \} at column 2`],
    ['no name', 'a{}', 'has no name of an attribute at column 3'],
    ['no name before a function', '{|lower}', 'has no name of an attribute at column 2'],
    ['an unknown function', '{sn|lower|exec:rm}', 'has the unknown function "exec" at column 11'],
    ['a function in capitals', '{sn|Lower}', 'has the unknown function "Lower" at column 5'],
    ['a function without a name', '{sn|}', 'has the unknown function "" at column 5'],
    ['a text that is not taken', '{sn|lower:x}', 'has lower with a text at column 5'],
    ['no text to look for', '{mail|before:}', 'has before without a text at column 7'],
    ['no text at all', '{mail|default}', 'has default without a text at column 7'],
    ['a backslash at the end', 'a\\', String.raw`has \ before none of {}|:\ at column 3`],
    [
      'a backslash before a letter',
      '{sn|join:\\n}',
      String.raw`has \ before none of {}|:\ at column 11`,
    ],
    ['a control character', 'a\0{sn}', 'has a control character at column 2'],
    ['too many characters', 'x'.repeat(1_001), 'is longer than 1000 at column 1001'],
  ])('%s', (_what, template, message) => {
    expect(errorOf(template).message).toBe(message);
  });

  test('a rule that quotes nothing of it', () => {
    expect(errorOf('{sn|geheim}').rule).toBe(
      'has an unknown function; there are lower, upper, first, join, before, after, default',
    );
  });
});

describe('a template gives', () => {
  test.each<[string, string, readonly string[]]>([
    ['nothing for a missing attribute', '{none}', []],
    ['nothing where one of several is missing', '{givenName} {none}', []],
    ['nothing for an attribute without values', '{empty}', []],
    ['nothing for the name of a member of every object', '{constructor}', []],
    ['nothing where no value has the text', '{sn|before:@}', []],
    ['values with text between them', '{givenName} {sn}', ['Alice Liddell']],
    ['text alone', 'guest', ['guest']],
    ['all values', '{mail}', ALICE.mail],
    ['text with each value', 'mailto:{mail}', ['mailto:Alice@Example.org', 'mailto:a@second.org']],
    [
      'each value of the first of several, and the first one of the others',
      '{sn}: {mail} {memberOf}',
      ['Liddell: Alice@Example.org cn=staff,ou=groups', 'Liddell: a@second.org cn=staff,ou=groups'],
    ],
    ['small letters', '{mail|lower}', ['alice@example.org', 'a@second.org']],
    ['capitals', '{sn|upper}', ['LIDDELL']],
    ['the first value', '{mail|first}', ['Alice@Example.org']],
    ['values in one', '{mail|join:, }', ['Alice@Example.org, a@second.org']],
    ['the part before a text', '{mail|before:@}', ['Alice', 'a']],
    ['the part after a text', '{mail|after:@}', ['Example.org', 'second.org']],
    ['parts of parts', '{memberOf|after:cn=|before:,|lower}', ['staff', 'admins']],
    ['no value twice', '{memberOf|after:ou=}', ['groups']],
    ['another text for a missing attribute', '{none|default:guest}', ['guest']],
    ['no other text for one that is there', '{sn|default:guest}', ['Liddell']],
    ['a text with colons', '{none|default:urn:x}', ['urn:x']],
    ['special characters as text', String.raw`\{{sn}\} \\ \| \:`, [String.raw`{Liddell} \ | :`]],
    [
      'special characters in texts',
      String.raw`{mail|join:\|\}}`,
      ['Alice@Example.org|}a@second.org'],
    ],
  ])('%s', (_what, template, expected) => {
    expect(computed(template)).toEqual(expected);
  });

  test('no value that is too long, and no more than a thousand', () => {
    const long = { x: ['a'.repeat(4_096), 'b'.repeat(4_097)], y: ['c'.repeat(2_000)] };
    expect(computed('{x}', long)).toEqual([long.x[0]]);
    expect(computed('{y}{y}{y}', long)).toEqual([]);
    const many = { x: Array.from({ length: 1_001 }, (_, index) => String(index)) };
    expect(computed('{x}', many)).toHaveLength(1_000);
  });
});

const escaped = (text: string): string => text.replaceAll(/[{}|:\\]/g, String.raw`\$&`);
const text = string({ unit: constantFrom(...'ab é{}|:\\'), maxLength: 30 });

describe('every template', () => {
  test('is read, or refused with a column of its text', () => {
    const pieces = constantFrom('{', '}', '|', ':', '\\', 'sn', 'lower', 'before', 'x', ' ');
    assert(
      property(array(pieces, { maxLength: 20 }), (given) => {
        const template = given.join('');
        try {
          const values = computed(template);
          expect(values.length).toBeLessThanOrEqual(1);
        } catch (error) {
          expect(error).toBeInstanceOf(TemplateError);
          const { column } = error as TemplateError;
          expect(column).toBeGreaterThanOrEqual(1);
          expect(column).toBeLessThanOrEqual(template.length + 1);
        }
      }),
      { numRuns: 1_000 },
    );
  });

  test('has any text after backslashes', () => {
    assert(
      property(
        text.filter((each) => each !== ''),
        (each) => {
          expect(computed(escaped(each))).toEqual([each]);
          expect(computed(`{none|default:${escaped(each)}}`)).toEqual([each]);
        },
      ),
    );
  });

  test('has any name of an attribute after backslashes', () => {
    const attributes = dictionary(
      text.filter((each) => each !== ''),
      array(text, { maxLength: 5 }),
      {
        maxKeys: 3,
      },
    );
    assert(
      property(attributes, (given) => {
        for (const [name, values] of Object.entries(given)) {
          expect(computed(`{${escaped(name)}}`, given)).toEqual([...new Set(values)]);
        }
      }),
    );
  });
});

describe('computed attributes', () => {
  test('replace those of their names, and are absent without a value', () => {
    const all = new ComputedAttributes({ mail: '{mail|first|lower}', sn: '{none}', cn: '{sn}' });
    expect(all.addedTo({ sn: ['Liddell'], mail: ['A@B', 'c'] })).toEqual({
      mail: ['a@b'],
      cn: ['Liddell'],
    });
  });

  test('leave attributes as they are without a template', () => {
    expect(new ComputedAttributes({}).addedTo(ALICE)).toBe(ALICE);
  });
});
