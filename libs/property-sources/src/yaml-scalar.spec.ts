import { describe, expect, test } from '@jest/globals';
import { assert, bigInt, double, property } from 'fast-check';
import { NumberLiteral, type Scalar } from './property-document.js';
import { plainScalar, taggedScalar } from './yaml-scalar.js';

/** Numbers as JSON writes them, everything else as JSON would. */
const json = (value: Scalar | null | undefined): string | undefined =>
  value instanceof NumberLiteral ? value.json : JSON.stringify(value);

/** Each row is what Spring Boot 3.5.16 with SnakeYAML 2.4 made of `a: <text>`. */
describe('a scalar without quotes is, as Spring Boot 3.5.16 reads it,', () => {
  test.each([
    ...['', '~', 'null', 'Null', 'NULL'].map((text) => [text, 'null']),
    ...['yes', 'Yes', 'YES', 'on', 'On', 'ON', 'true', 'True', 'TRUE'].map((text) => [
      text,
      'true',
    ]),
    ...['no', 'No', 'off', 'OFF', 'false', 'False'].map((text) => [text, 'false']),
  ])('%j: %s', (text, expected) => {
    expect(json(plainScalar(text))).toBe(expected);
  });

  test.each([
    ['0', '0'],
    ['-0', '0'],
    ['00', '0'],
    ['+12', '12'],
    ['0777', '511'],
    ['-0777', '-511'],
    ['0_7', '7'],
    ['00_1', '1'],
    ['0x1F', '31'],
    ['-0x1F', '-31'],
    ['0x_1', '1'],
    ['0xFFFFFFFFFFFFFFFFFF', '4722366482869645213695'],
    ['0b101', '5'],
    ['-0b11', '-3'],
    ['1_000', '1000'],
    ['1__0', '10'],
    ['1_', '1'],
    ['12345678901234567890', '12345678901234567890'],
    ['-99999999999999999999999', '-99999999999999999999999'],
    ['1:0', '60'],
    ['-1:30', '-90'],
    ['8:30', '510'],
    ['1_0:30', '630'],
    ['24:00:00', '86400'],
    ['190:20:30', '685230'],
  ])('%s: the integer %s', (text, expected) => {
    expect(json(plainScalar(text))).toBe(expected);
  });

  test.each([
    ['1.0', '1.0'],
    ['1.', '1.0'],
    ['.5', '0.5'],
    ['-.5', '-0.5'],
    ['-0.0', '-0.0'],
    ['0e0', '0.0'],
    ['00.5', '0.5'],
    ['09.5', '9.5'],
    ['1e3', '1000.0'],
    ['1E3', '1000.0'],
    ['1.e+3', '1000.0'],
    ['12e03', '12000.0'],
    ['5.e-2', '0.05'],
    ['1_000.5', '1000.5'],
    ['.1_', '0.1'],
    ['._1', '0.1'],
    ['0.001', '0.001'],
    ['0.0001', '1.0E-4'],
    ['9999999.0', '9999999.0'],
    ['12345678.9', '1.23456789E7'],
    ['1.0e+10', '1.0E10'],
    ['1.5E-7', '1.5E-7'],
    ['1e21', '1.0E21'],
    ['4.9e-324', '4.9E-324'],
    ['4.9e-400', '0.0'],
    ['9007199254740993.0', '9.007199254740992E15'],
    ['0.1234567890123456789', '0.12345678901234568'],
    ['1:59.5', '119.5'],
    ['1:30.', '90.0'],
    ['0:1.5', '1.5'],
    ['190:20:30.15', '685230.15'],
  ])('%s: the number %s', (text, expected) => {
    expect(json(plainScalar(text))).toBe(expected);
  });

  test.each([
    ['.inf', 'Infinity', '.inf'],
    ['+.Inf', 'Infinity', '.inf'],
    ['-.INF', '-Infinity', '-.inf'],
    ['1e400', 'Infinity', '.inf'],
    ['-1e400', '-Infinity', '-.inf'],
    ['.NaN', 'NaN', '.nan'],
  ])('%s: the word %s, which JSON has no number for; in YAML %s', (text, word, yaml) => {
    expect(plainScalar(text)).toEqual(new NumberLiteral(JSON.stringify(word), word, yaml));
  });

  test.each(
    ['yEs', 'y', 'N', 'tRue', 'nuLL', '2024-01-02', '2001-12-14t21:59:43.10-05:00', '=', '+', '.']
      .concat([
        '0o777',
        '089',
        '08',
        '0x',
        '0b',
        '0b12',
        '0xg',
        '0_',
        '_1',
        '60:70',
        '1:60',
        '01:30',
      ])
      .concat(['0:0', '1:2_3', '1.2.3.4', '1e', '1.5e', '1e5.5', '1,000', '-.nan', '+.NaN', '1 2']),
  )('%s: a text', (text) => {
    expect(plainScalar(text)).toBe(text);
  });

  test('a text where a number has more than 1,000 characters', () => {
    const digits = '9'.repeat(1000);
    expect(json(plainScalar(digits))).toBe(digits);
    expect(plainScalar(`9${digits}`)).toBe(`9${digits}`);
    expect(plainScalar(`1${':59'.repeat(400)}`)).toMatch(/^1:59/);
  });

  test('the same integer, of any size', () => {
    assert(property(bigInt(), (value) => json(plainScalar(`${value}`)) === `${value}`));
  });

  test('the same number to the last bit', () => {
    assert(
      property(double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        const { json: written } = plainScalar(
          Object.is(value, -0) ? '-0.0' : value.toExponential(),
        ) as NumberLiteral;
        expect(Number(written)).toBe(value);
        expect(written).toMatch(/^-?(?:\d{1,7}\.\d+|\d\.\d+E-?\d+)$/);
      }),
    );
  });
});

describe('a scalar with a tag', () => {
  test.each([
    ['str', '12', '"12"'],
    ['str', 'true', '"true"'],
    ['int', '0x1F', '31'],
    ['float', '3', '3.0'],
    ['float', '1.5', '1.5'],
    ['bool', 'On', 'true'],
    ['float', '-.inf', '"-Infinity"'],
    ['float', '.nan', '"NaN"'],
    ['null', 'x', 'null'],
  ])('!!%s %s is %s, as Spring Boot 3.5.16 reads it', (tag, text, expected) => {
    expect(json(taggedScalar(text, `tag:yaml.org,2002:${tag}`))).toBe(expected);
  });

  test.each([
    ['timestamp', '2024-01-02', '2024-01-02'],
    ['timestamp', '2001-12-14t21:59:43.10-05:00', '2001-12-14t21:59:43.10-05:00'],
    ['binary', 'aGVs\n  bG8=\n', 'aGVsbG8='],
  ])('!!%s %j is the text %s', (tag, text, expected) => {
    expect(taggedScalar(text, `tag:yaml.org,2002:${tag}`)).toBe(expected);
  });

  test('is typed as without one where the tag is ! alone', () => {
    expect(json(taggedScalar('12', '!'))).toBe('12');
  });

  test.each([
    ['tag:yaml.org,2002:int', '1.5'],
    ['tag:yaml.org,2002:int', 'abc'],
    ['tag:yaml.org,2002:float', 'yes'],
    ['tag:yaml.org,2002:bool', 'maybe'],
    ['tag:yaml.org,2002:binary', 'aGVsbG8'],
    ['tag:yaml.org,2002:binary', 'geheim!'],
    ['tag:yaml.org,2002:timestamp', '2024-01'],
    ['tag:yaml.org,2002:timestamp', 'now'],
    ['tag:yaml.org,2002:java.util.Date', '2020'],
    ['!foo', 'bar'],
  ])('%s is not read from %s', (tag, text) => {
    expect(taggedScalar(text, tag)).toBeUndefined();
  });
});
