import { describe, expect, test } from '@jest/globals';
import { boundsFaults, Matches, Max, Min, NotEmpty } from './bounds.js';

class Base {
  @Min(1) @Max(9) digit: number | undefined = 5;
  @NotEmpty() name = 'x';
}

class Settings extends Base {
  @NotEmpty() @Matches(/^[a-z]+$/, 'must be letters') word = 'a';
  @Max(5) declare digit: number | undefined;
  free = '';
}

describe('boundsFaults', () => {
  test.each<[property: keyof Settings, value: unknown, fault: string | undefined]>([
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
  ])('of %s with %j is %j', (property, value, fault) => {
    const faults = boundsFaults(Object.assign(new Settings(), { [property]: value }));
    expect([...faults]).toEqual(fault === undefined ? [] : [[property, fault]]);
  });

  test('tells the first fault of a property, and those of several', () => {
    const faults = boundsFaults(Object.assign(new Settings(), { word: '', digit: 10, name: '' }));
    expect(Object.fromEntries(faults)).toEqual({
      digit: 'must not be greater than 5',
      name: 'must not be empty',
      word: 'must be letters',
    });
  });

  test('knows no bounds of classes below', () => {
    expect(boundsFaults(Object.assign(new Base(), { digit: 9 })).size).toBe(0);
  });
});
