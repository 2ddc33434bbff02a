import { describe, expect, test } from '@jest/globals';
import { IsNotEmpty, Matches, Max, Min } from 'class-validator';
import { violatedBounds } from './bounds.js';

class Base {
  @Min(1) @Max(9) digit: number | undefined = 5;
  @IsNotEmpty({ message: 'must not be empty' }) name = 'x';
}

class Settings extends Base {
  @IsNotEmpty({ message: 'must not be empty' })
  @Matches(/^[a-z]+$/, { message: 'must be letters' })
  word = 'a';
  @Min(1) @Max(5) declare digit: number | undefined;
  free = '';
}

describe('violatedBounds', () => {
  test.each<[property: keyof Settings, value: unknown, message: string | undefined]>([
    ['digit', 1, undefined],
    ['digit', 5, undefined],
    ['digit', 0, 'must not be less than 1'],
    ['digit', 6, 'must not be greater than 5'],
    ['digit', undefined, undefined],
    ['name', ' ', undefined],
    ['name', '', 'must not be empty'],
    ['word', 'abc', undefined],
    ['word', 'a1', 'must be letters'],
    ['free', '', undefined],
  ])('of %s with %j is %j', (property, value, message) => {
    const violations = violatedBounds(Object.assign(new Settings(), { [property]: value }));
    expect([...violations]).toEqual(message === undefined ? [] : [[property, message]]);
  });

  test('reports the first violation of each property', () => {
    const violations = violatedBounds(
      Object.assign(new Settings(), { word: '', digit: 10, name: '' }),
    );
    expect(Object.fromEntries(violations)).toEqual({
      digit: 'must not be greater than 5',
      name: 'must not be empty',
      word: 'must be letters',
    });
  });

  test('knows no bounds of classes below', () => {
    expect(violatedBounds(Object.assign(new Base(), { digit: 9 })).size).toBe(0);
  });
});
